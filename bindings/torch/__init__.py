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

__all__ = [
    "Tokenizer",
    "about",
    "compiling",
    "decode_examples",
    "decode_fixed",
    "gather_examples",
    "index_records",
    "matmul",
    "patterns",
]
