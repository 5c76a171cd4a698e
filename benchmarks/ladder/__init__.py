"""The ladder: how a product of matrices becomes as fast as the machine, one idea at a time."""
