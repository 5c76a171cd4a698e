"""Whether the figures may be published: what every door is made of, and what speaks against it."""
