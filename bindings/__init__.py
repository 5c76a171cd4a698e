"""What crosses the boundary: one package a technology, and what these share."""
