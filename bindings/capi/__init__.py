"""The binding without a tool: CPython's own C API."""

from ffi_cookbook.bindings.capi import patterns as patterns
from ffi_cookbook.bindings.capi.matmul import matmul as matmul
from ffi_cookbook.bindings.capi.patterns import about as about
from ffi_cookbook.bindings.capi.records import decode_examples as decode_examples
from ffi_cookbook.bindings.capi.records import decode_fixed as decode_fixed
from ffi_cookbook.bindings.capi.records import gather_examples as gather_examples
from ffi_cookbook.bindings.capi.records import index_records as index_records
from ffi_cookbook.bindings.capi.tokenizer import Tokenizer as Tokenizer
