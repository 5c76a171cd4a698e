"""The binding that reads C headers: cffi in API mode."""

from bindings.cffi import patterns
from bindings.cffi.matmul import matmul
from bindings.cffi.patterns import about
from bindings.cffi.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from bindings.cffi.tokenizer import Tokenizer
from bindings.cffi.writing import crc32c, encode_varints, frame_records

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
