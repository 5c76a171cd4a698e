"""The small and fast binding for C++: nanobind."""

from ffi_cookbook.bindings.nanobind import patterns as patterns
from ffi_cookbook.bindings.nanobind.matmul import matmul as matmul
from ffi_cookbook.bindings.nanobind.patterns import about as about
from ffi_cookbook.bindings.nanobind.records import decode_examples as decode_examples
from ffi_cookbook.bindings.nanobind.records import decode_fixed as decode_fixed
from ffi_cookbook.bindings.nanobind.records import gather_examples as gather_examples
from ffi_cookbook.bindings.nanobind.records import index_records as index_records
from ffi_cookbook.bindings.nanobind.tokenizer import Tokenizer as Tokenizer
