"""Records of files by number, as a training loop takes them."""
