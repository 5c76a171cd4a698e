"""The binding without a build step: ctypes, from the standard library, over the C library."""

from ffi_cookbook.bindings.ctypes import patterns
from ffi_cookbook.bindings.ctypes.matmul import matmul
from ffi_cookbook.bindings.ctypes.patterns import about
from ffi_cookbook.bindings.ctypes.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from ffi_cookbook.bindings.ctypes.tokenizer import Tokenizer

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
