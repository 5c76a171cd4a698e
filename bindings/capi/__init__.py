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
from ffi_cookbook.bindings.capi.writing import crc32c, encode_varints, frame_records

__all__ = [
    "Tokenizer",
    "about",
    "crc32c",
    "decode_examples",
    "decode_fixed",
    "encode_varints",
    "frame_records",
    "gather_examples",
    "index_records",
    "matmul",
    "patterns",
]
