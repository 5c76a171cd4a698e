"""The small and quick one for C++: nanobind."""

from bindings.nanobind import probes
from bindings.nanobind.matmul import matmul
from bindings.nanobind.probes import about
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
    "probes",
]
