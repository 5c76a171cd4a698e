"""The binding without a tool: CPython's own C API."""

from ffi_cookbook.bindings.capi import patterns
from ffi_cookbook.bindings.capi.matmul import matmul
from ffi_cookbook.bindings.capi.patterns import about
from ffi_cookbook.bindings.capi.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from ffi_cookbook.bindings.capi.tokenizer import Tokenizer

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
