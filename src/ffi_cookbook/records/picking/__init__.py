"""Records by number, through an index."""
