"""Calls of every pattern and kernel, successful and failing.

They serve tests that repeat a call many times. Each call has objects of its own, so that no
immortal or shared object hides a call's effect on its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

from .call import Call
from .matmul import matmul
from .patterns import patterns
from .records import decode_examples, decode_fixed, gather_examples, index_records
from .tokenizer import tokenizer

__all__ = ["CALLS", "Call"]

# By the part of a backend that each needs: see backends.PARTS.
CALLS: dict[str, dict[str, Callable[[ModuleType], Iterator[Call]]]] = {
    "matmul": {"matmul": matmul},
    "index_records": {"index_records": index_records, "decode_fixed": decode_fixed},
    "Tokenizer": {"tokenizer": tokenizer},
    "decode_examples": {"decode_examples": decode_examples, "gather_examples": gather_examples},
    "patterns": {"patterns": patterns},
}
