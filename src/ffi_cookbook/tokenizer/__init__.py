"""The parts of a tokenizer that all bindings share.

These are the binary model that every binding borrows, a trainer that makes one, and the features
that work with the tokenizer of any binding: offsets, batches of rows, the decoding of a stream of
ids, and the APIs of tiktoken and transformers.

>>> from ffi_cookbook.tokenizer import Model
>>> model = Model.load("gpt2.tiktoken", pattern="gpt2", special_tokens={"<|endoftext|>": 50256})
>>> ffi_cookbook.load("capi").Tokenizer(model).encode("hello world")
array([31373,   995], dtype=uint32)
"""

from ffi_cookbook.bindings._glue.surrogates import replace_surrogates
from ffi_cookbook.tokenizer.batch_encoder import BatchEncoder
from ffi_cookbook.tokenizer.budget import Budget
from ffi_cookbook.tokenizer.decoding import Decoder, decode_batch
from ffi_cookbook.tokenizer.encoding import Encoding
from ffi_cookbook.tokenizer.export import save_model
from ffi_cookbook.tokenizer.model import Model
from ffi_cookbook.tokenizer.normalized import Normalized
from ffi_cookbook.tokenizer.offsets import byte_offsets, character_offsets
from ffi_cookbook.tokenizer.spaced import tokenizer_of
from ffi_cookbook.tokenizer.train import sample_texts, save_tiktoken, train

__all__ = [
    "BatchEncoder",
    "Budget",
    "Decoder",
    "Encoding",
    "Model",
    "Normalized",
    "byte_offsets",
    "character_offsets",
    "decode_batch",
    "replace_surrogates",
    "sample_texts",
    "save_model",
    "save_tiktoken",
    "tokenizer_of",
    "train",
]
