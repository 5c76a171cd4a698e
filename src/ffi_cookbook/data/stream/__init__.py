"""Streams of batches, made ahead by threads."""
