"""The patterns through torch: one page for each subject, one operator for each pattern.

A page has its Python and its C++ side by side. `idiomatic` does as the documentation does where
that lets more pass; `fast` has the quickest calls.
"""

from __future__ import annotations

import torch

from ffi_cookbook.bindings.torch.library import ops
from ffi_cookbook.bindings.torch.patterns import fast, idiomatic
from ffi_cookbook.bindings.torch.patterns.arrays import (
    array_in,
    array_in_nogil,
    array_inplace,
    array_map,
    array_out,
    dlpack_in,
    strided_in,
)
from ffi_cookbook.bindings.torch.patterns.calls import callback, error, error_fields, interruptible
from ffi_cookbook.bindings.torch.patterns.containers import (
    dict_in,
    list_in,
    list_out,
    strings_in,
    tuple_out,
)
from ffi_cookbook.bindings.torch.patterns.mixed import add_three, scaled, score, shifted, stamp
from ffi_cookbook.bindings.torch.patterns.objects import (
    Counter,
    Point,
    countdown,
    struct_in,
    struct_out,
)
from ffi_cookbook.bindings.torch.patterns.scalars import (
    add_float,
    add_int,
    int_in,
    int_out,
    invert,
    keywords,
    noop,
    noop_nogil,
    six_scalars,
)
from ffi_cookbook.bindings.torch.patterns.text import (
    buffer_in,
    bytes_in,
    bytes_map,
    bytes_out,
    str_in,
    str_out,
)

__all__ = [
    "Counter",
    "Point",
    "add_float",
    "add_int",
    "add_three",
    "array_in",
    "array_in_nogil",
    "array_inplace",
    "array_map",
    "array_out",
    "buffer_in",
    "bytes_in",
    "bytes_map",
    "bytes_out",
    "callback",
    "countdown",
    "dict_in",
    "dlpack_in",
    "error",
    "error_fields",
    "fast",
    "idiomatic",
    "int_in",
    "int_out",
    "interruptible",
    "invert",
    "keywords",
    "list_in",
    "list_out",
    "noop",
    "noop_nogil",
    "scaled",
    "score",
    "shifted",
    "six_scalars",
    "stamp",
    "str_in",
    "str_out",
    "strided_in",
    "strings_in",
    "struct_in",
    "struct_out",
    "tuple_out",
]


def about() -> dict[str, str]:
    """Return the tools that built this binding."""
    return {
        "technology": f"torch {torch.__version__} (stable ABI 2.10)",
        "compiler": ops.compiler(),
        "kernel": "C",
        "isa": ops.isa(),
    }
