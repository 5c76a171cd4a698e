"""The binding to Rust: PyO3, in a wheel of its own (`pip install ./bindings/pyo3`)."""

from ffi_cookbook_pyo3 import (
    Tokenizer,
    about,
    crc32c,
    decode_examples,
    decode_fixed,
    encode_varints,
    frame_records,
    gather_examples,
    index_records,
    matmul,
    patterns,
)

__all__ = [
    "Tokenizer",
    "about",
    "crc32c",
    "decode_examples",
    "decode_fixed",
    "encode_varints",
    "frame_records",
    "gather_examples",
    "index_records",
    "matmul",
    "patterns",
]
