"""The binding for tensors: operators for torch's dispatcher, on its stable ABI."""

import ffi_cookbook.bindings._glue.main_interpreter  # noqa: F401  (elsewhere the next one may hang)
from ffi_cookbook.bindings.torch import compiling, patterns
from ffi_cookbook.bindings.torch.matmul import matmul
from ffi_cookbook.bindings.torch.patterns import about
from ffi_cookbook.bindings.torch.records import (
    decode_examples,
    decode_fixed,
    gather_examples,
    index_records,
)
from ffi_cookbook.bindings.torch.tokenizer import Tokenizer

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
