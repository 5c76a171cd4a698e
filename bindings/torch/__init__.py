"""The binding for tensors: operators for torch's dispatcher, on its stable ABI.

It has only what is natural in tensors: matmul and the patterns.
"""

from typing import NoReturn

import ffi_cookbook.bindings._glue.main_interpreter  # noqa: F401  (elsewhere the next one may hang)
from ffi_cookbook.bindings.torch import attention as attention
from ffi_cookbook.bindings.torch import patterns as patterns
from ffi_cookbook.bindings.torch.matmul import matmul as matmul
from ffi_cookbook.bindings.torch.patterns import about as about

_ABSENT = {
    "Tokenizer": "text is not a tensor: encode with another binding, and pass the ids on",
    **dict.fromkeys(
        ("index_records", "decode_examples", "gather_examples", "decode_fixed"),
        "a file is not a tensor: read it with another binding, whose columns become tensors",
    ),
}


def __getattr__(name: str) -> NoReturn:
    if name in _ABSENT:
        raise AttributeError(f"the torch binding has no {name}: {_ABSENT[name]}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
