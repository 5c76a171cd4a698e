"""The binding that reads C headers: cffi in API mode."""

from ffi_cookbook.bindings.cffi import patterns
from ffi_cookbook.bindings.cffi.matmul import matmul
from ffi_cookbook.bindings.cffi.patterns import about
from ffi_cookbook.bindings.cffi.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from ffi_cookbook.bindings.cffi.tokenizer import Tokenizer

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
