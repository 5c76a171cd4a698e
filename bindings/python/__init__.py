"""The reference binding: every kernel in readable Python, without a compiler or a tool.

It is slow on purpose: the other bindings must agree with it. NumPy arrays are only the memory at
the boundary.
"""

from bindings.python import patterns
from bindings.python.matmul import matmul
from bindings.python.patterns import about
from bindings.python.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from bindings.python.tokenizer import Tokenizer

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
