"""The binding without a tool: CPython's own C API."""

from bindings.capi import patterns
from bindings.capi.matmul import matmul
from bindings.capi.patterns import about
from bindings.capi.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from bindings.capi.tokenizer import Tokenizer
from bindings.capi.writing import crc32c, encode_varints, frame_records

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
