"""Records of files, batch by batch."""
