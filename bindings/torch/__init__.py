"""The binding for tensors: operators for torch's dispatcher, on its stable ABI.

It has no Tokenizer: text is not a tensor, and an operator is a function, which cannot hold a model.
"""

from typing import NoReturn

import ffi_cookbook.bindings._glue.main_interpreter  # noqa: F401  (elsewhere the next one may hang)
from ffi_cookbook.bindings.torch import compiling as compiling
from ffi_cookbook.bindings.torch import patterns as patterns
from ffi_cookbook.bindings.torch.matmul import matmul as matmul
from ffi_cookbook.bindings.torch.patterns import about as about
from ffi_cookbook.bindings.torch.records import decode_examples as decode_examples
from ffi_cookbook.bindings.torch.records import decode_fixed as decode_fixed
from ffi_cookbook.bindings.torch.records import gather_examples as gather_examples
from ffi_cookbook.bindings.torch.records import index_records as index_records


def __getattr__(name: str) -> NoReturn:
    if name == "Tokenizer":
        reason = "text is not a tensor: encode with another binding, and pass the ids on"
        raise AttributeError(f"the torch binding has no Tokenizer: {reason}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
