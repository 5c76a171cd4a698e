"""The binding through Cython."""

from ffi_cookbook.bindings.cython import patterns as patterns
from ffi_cookbook.bindings.cython.matmul import matmul as matmul
from ffi_cookbook.bindings.cython.patterns import about as about
from ffi_cookbook.bindings.cython.records import decode_examples as decode_examples
from ffi_cookbook.bindings.cython.records import decode_fixed as decode_fixed
from ffi_cookbook.bindings.cython.records import gather_examples as gather_examples
from ffi_cookbook.bindings.cython.records import index_records as index_records
from ffi_cookbook.bindings.cython.tokenizer import Tokenizer as Tokenizer
