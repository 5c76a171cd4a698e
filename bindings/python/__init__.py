"""The reference binding: every kernel in readable Python, without a compiler or a tool.

It is slow on purpose: the other bindings must agree with it. NumPy arrays are only the memory at
the boundary.
"""

from ffi_cookbook.bindings.python import patterns as patterns
from ffi_cookbook.bindings.python.matmul import matmul as matmul
from ffi_cookbook.bindings.python.patterns import about as about
from ffi_cookbook.bindings.python.records import decode_examples as decode_examples
from ffi_cookbook.bindings.python.records import decode_fixed as decode_fixed
from ffi_cookbook.bindings.python.records import gather_examples as gather_examples
from ffi_cookbook.bindings.python.records import index_records as index_records
from ffi_cookbook.bindings.python.tokenizer import Tokenizer as Tokenizer
