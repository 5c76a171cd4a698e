"""Whether the figures may be published: how every binding was built, and what speaks against it."""
