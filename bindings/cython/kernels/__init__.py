"""Three kernels in Cython, as its users write them: matmul, records and the tokenizer.

They are a part of a backend, to read and to measure, not the one of `ffi_cookbook.load("cython")`,
which calls the C library. The sources of the compiled modules are in cython_src.
"""

from ffi_cookbook.bindings.cython.kernels.matmul import matmul
from ffi_cookbook.bindings.cython.kernels.records import (
    crc32c,
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from ffi_cookbook.bindings.cython.kernels.tokenizer import Tokenizer
from ffi_cookbook.bindings.cython.patterns import about as _about

__all__ = [
    "Tokenizer",
    "about",
    "crc32c",
    "decode_examples",
    "decode_fixed",
    "gather_examples",
    "index_records",
    "matmul",
]


def about() -> dict[str, str]:
    """Return the tools that built these kernels."""
    return {**_about(), "kernel": "Cython", "isa": "portable"}
