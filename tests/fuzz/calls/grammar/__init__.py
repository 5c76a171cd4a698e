"""The grammar: every public function, with its valid calls."""

from __future__ import annotations

from ..case import Function
from .matmul import MATMUL
from .patterns import PATTERNS
from .records import RECORDS
from .tokenizer import TOKENIZER

# The functions of each kernel, and the patterns together, get equal shares of the cases.
FUNCTIONS: list[Function] = [
    function for function in [*MATMUL, *RECORDS, *TOKENIZER] for _ in range(4 * function.weight)
] + PATTERNS
