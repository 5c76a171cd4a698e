"""Whether the figures may be published: what every binding is made of, and what speaks against
it."""
