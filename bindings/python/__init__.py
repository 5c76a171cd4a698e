"""The reference binding: every kernel in readable Python, without a compiler or a tool.

It is slow on purpose: the other bindings must agree with it. NumPy arrays are only the memory at
the boundary.
"""

from ffi_cookbook.bindings.python import patterns
from ffi_cookbook.bindings.python.matmul import matmul
from ffi_cookbook.bindings.python.patterns import about
from ffi_cookbook.bindings.python.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from ffi_cookbook.bindings.python.tokenizer import Tokenizer

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
