"""The binding to Rust: PyO3, in a wheel of its own (`pip install ./bindings/pyo3`)."""

from ffi_cookbook_pyo3 import (
    Tokenizer,
    about,
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
    matmul,
    patterns,
)

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
