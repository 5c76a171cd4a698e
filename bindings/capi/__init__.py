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
