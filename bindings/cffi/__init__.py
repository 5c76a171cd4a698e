"""The binding that reads C headers: cffi in API mode."""

from ffi_cookbook.bindings.cffi import patterns as patterns
from ffi_cookbook.bindings.cffi.matmul import matmul as matmul
from ffi_cookbook.bindings.cffi.patterns import about as about
from ffi_cookbook.bindings.cffi.records import decode_examples as decode_examples
from ffi_cookbook.bindings.cffi.records import decode_fixed as decode_fixed
from ffi_cookbook.bindings.cffi.records import gather_examples as gather_examples
from ffi_cookbook.bindings.cffi.records import index_records as index_records
from ffi_cookbook.bindings.cffi.tokenizer import Tokenizer as Tokenizer
