"""The binding that reads C headers: cffi in API mode."""

from bindings.cffi import patterns
from bindings.cffi.matmul import matmul
from bindings.cffi.patterns import about
from bindings.cffi.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from bindings.cffi.tokenizer import Tokenizer

__all__ = [
    "Tokenizer",
    "about",
    "decode_examples",
    "decode_fixed",
    "gather_examples",
    "index_records",
    "matmul",
    "patterns",
]
