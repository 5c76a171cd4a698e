"""The binding without a build step: ctypes, from the standard library, over the C library."""

from ffi_cookbook.bindings.ctypes import patterns as patterns
from ffi_cookbook.bindings.ctypes.matmul import matmul as matmul
from ffi_cookbook.bindings.ctypes.patterns import about as about
from ffi_cookbook.bindings.ctypes.records import decode_examples as decode_examples
from ffi_cookbook.bindings.ctypes.records import decode_fixed as decode_fixed
from ffi_cookbook.bindings.ctypes.records import gather_examples as gather_examples
from ffi_cookbook.bindings.ctypes.records import index_records as index_records
from ffi_cookbook.bindings.ctypes.tokenizer import Tokenizer as Tokenizer
