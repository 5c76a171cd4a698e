"""Our tokenizer beside gigatoken, tiktoken and HF tokenizers."""
