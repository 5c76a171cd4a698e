"""The binding through Cython, with kernels written in Cython too."""

from bindings.cython import patterns
from bindings.cython.matmul import matmul
from bindings.cython.patterns import about
from bindings.cython.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from bindings.cython.tokenizer import Tokenizer

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
