"""The small and fast binding for C++: nanobind."""

from bindings.nanobind import patterns
from bindings.nanobind.matmul import matmul
from bindings.nanobind.patterns import about
from bindings.nanobind.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from bindings.nanobind.tokenizer import Tokenizer
from bindings.nanobind.writing import crc32c, encode_varints, frame_records

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
