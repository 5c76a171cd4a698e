"""The binding through Cython."""

from ffi_cookbook.bindings.cython import patterns
from ffi_cookbook.bindings.cython.matmul import matmul
from ffi_cookbook.bindings.cython.patterns import about
from ffi_cookbook.bindings.cython.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from ffi_cookbook.bindings.cython.tokenizer import Tokenizer

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
