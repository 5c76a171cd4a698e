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
