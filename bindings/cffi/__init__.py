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
from ffi_cookbook.bindings.cffi.writing import crc32c, encode_varints, frame_records

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
