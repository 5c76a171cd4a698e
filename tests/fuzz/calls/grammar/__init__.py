"""The grammar: every public function, with its valid calls."""

from __future__ import annotations

from ..case import Function
from .matmul import MATMUL
from .patterns import PATTERNS
from .records import RECORDS
from .tokenizer import TOKENIZER

# A third of the cases for each kernel's functions, and for the patterns together.
FUNCTIONS: list[Function] = [
    function for function in [*MATMUL, *RECORDS, *TOKENIZER] for _ in range(4 * function.weight)
] + PATTERNS
