"""The patterns through cffi: one page for each subject, one function for each pattern.

`idiomatic` does as the documentation does where that lets more pass. Every call releases the GIL:
cffi cannot hold it.
"""

from __future__ import annotations

import cffi

from ffi_cookbook.bindings.cffi.library import ffi, lib
from ffi_cookbook.bindings.cffi.patterns import idiomatic
from ffi_cookbook.bindings.cffi.patterns.arrays import (
    array_in,
    array_in_nogil,
    array_inplace,
    array_map,
    array_out,
    dlpack_in,
    strided_in,
)
from ffi_cookbook.bindings.cffi.patterns.calls import callback, error, error_fields, interruptible
from ffi_cookbook.bindings.cffi.patterns.containers import (
    dict_in,
    list_in,
    list_out,
    strings_in,
    tuple_out,
)
from ffi_cookbook.bindings.cffi.patterns.mixed import add_three, scaled, score, shifted, stamp
from ffi_cookbook.bindings.cffi.patterns.objects import (
    Counter,
    Point,
    countdown,
    struct_in,
    struct_out,
)
from ffi_cookbook.bindings.cffi.patterns.scalars import (
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
from ffi_cookbook.bindings.cffi.patterns.text import (
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
        "technology": f"cffi {cffi.__version__}",
        "compiler": ffi.string(lib.ck_compiler()).decode(),
        "kernel": "C",
        "isa": ffi.string(lib.ck_isa()).decode(),
    }
