"""The binding that most C++ projects use: pybind11."""

import ffi_cookbook.bindings._glue.main_interpreter  # noqa: F401  (elsewhere the next one may hang)
from ffi_cookbook.bindings.pybind11 import patterns
from ffi_cookbook.bindings.pybind11.matmul import matmul
from ffi_cookbook.bindings.pybind11.patterns import about
from ffi_cookbook.bindings.pybind11.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from ffi_cookbook.bindings.pybind11.tokenizer import Tokenizer

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
