"""A product of matrices, from its definition to the kernel, in steps that each are a file of C."""
