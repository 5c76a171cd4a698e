"""The binding for tensors: operators for torch's dispatcher, on its stable ABI."""

import bindings.main_interpreter  # noqa: F401  (in another one the next import may hang)
from bindings.torch import compiling, patterns
from bindings.torch.matmul import matmul
from bindings.torch.patterns import about
from bindings.torch.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from bindings.torch.tokenizer import Tokenizer
from bindings.torch.writing import crc32c, encode_varints, frame_records

__all__ = [
    "Tokenizer",
    "about",
    "compiling",
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
