"""The door most C++ projects have: pybind11."""

from bindings.pybind11 import probes
from bindings.pybind11.matmul import matmul
from bindings.pybind11.probes import about
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
    "probes",
]
