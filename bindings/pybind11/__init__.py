"""The binding that most C++ projects use: pybind11."""

import ffi_cookbook.bindings._glue.main_interpreter  # noqa: F401  (elsewhere the next one may hang)
from ffi_cookbook.bindings.pybind11 import patterns as patterns
from ffi_cookbook.bindings.pybind11.matmul import matmul as matmul
from ffi_cookbook.bindings.pybind11.patterns import about as about
from ffi_cookbook.bindings.pybind11.records import decode_examples as decode_examples
from ffi_cookbook.bindings.pybind11.records import decode_fixed as decode_fixed
from ffi_cookbook.bindings.pybind11.records import gather_examples as gather_examples
from ffi_cookbook.bindings.pybind11.records import index_records as index_records
from ffi_cookbook.bindings.pybind11.tokenizer import Tokenizer as Tokenizer
