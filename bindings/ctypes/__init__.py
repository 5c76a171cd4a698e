"""The binding without a build step: ctypes, from the standard library, over the C library."""

from bindings.ctypes import patterns
from bindings.ctypes.matmul import matmul
from bindings.ctypes.patterns import about
from bindings.ctypes.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from bindings.ctypes.tokenizer import Tokenizer

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
