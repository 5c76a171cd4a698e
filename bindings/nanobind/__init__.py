"""The small and fast binding for C++: nanobind."""

from ffi_cookbook.bindings.nanobind import patterns
from ffi_cookbook.bindings.nanobind.matmul import matmul
from ffi_cookbook.bindings.nanobind.patterns import about
from ffi_cookbook.bindings.nanobind.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from ffi_cookbook.bindings.nanobind.tokenizer import Tokenizer

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
