"""The form of a model and the steps of byte-level BPE, as docs/tokenizer.md describes them."""
