"""The binding that most C++ projects use: pybind11."""

import bindings.main_interpreter  # noqa: F401  (in another one the next import may hang)
from bindings.pybind11 import patterns
from bindings.pybind11.matmul import matmul
from bindings.pybind11.patterns import about
from bindings.pybind11.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from bindings.pybind11.tokenizer import Tokenizer
from bindings.pybind11.writing import crc32c, encode_varints, frame_records

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
