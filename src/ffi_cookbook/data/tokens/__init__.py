"""Texts to files of token ids, and sequences from them."""
