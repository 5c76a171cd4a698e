"""What every tokenizer door shares: the binary model they all borrow, and a trainer to make one.

>>> from bindings.tokenizer import Model
>>> model = Model.load("gpt2.tiktoken", pattern="gpt2", special_tokens={"<|endoftext|>": 50256})
>>> bindings.load("capi").Tokenizer(model).encode("hello world")
array([31373,   995], dtype=uint32)
"""

from bindings.tokenizer.model import Model
from bindings.tokenizer.surrogates import replace_surrogates
from bindings.tokenizer.train import sample_texts, save_tiktoken, train

__all__ = ["Model", "replace_surrogates", "sample_texts", "save_tiktoken", "train"]
