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
from ffi_cookbook.bindings.cython.writing import crc32c, encode_varints, frame_records

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
