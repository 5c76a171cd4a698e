"""The binding through Cython."""

from bindings.cython import patterns
from bindings.cython.matmul import matmul
from bindings.cython.patterns import about
from bindings.cython.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from bindings.cython.tokenizer import Tokenizer
from bindings.cython.writing import crc32c, encode_varints, frame_records

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
