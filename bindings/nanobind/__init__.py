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
