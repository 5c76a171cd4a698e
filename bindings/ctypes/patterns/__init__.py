"""The patterns through ctypes: one page for each subject, one function for each pattern.

`idiomatic` does as the documentation does where that lets more pass; `fast` has the quickest calls.
Every call holds the GIL (PyDLL), except in the patterns named nogil, the slices of `interruptible`
and `idiomatic` (CDLL).
"""

from __future__ import annotations

import ctypes

from ffi_cookbook.bindings.ctypes.library import declare, lib
from ffi_cookbook.bindings.ctypes.patterns import fast, idiomatic
from ffi_cookbook.bindings.ctypes.patterns.arrays import (
    array_in,
    array_in_nogil,
    array_inplace,
    array_map,
    array_out,
    dlpack_in,
    strided_in,
)
from ffi_cookbook.bindings.ctypes.patterns.calls import callback, error, error_fields, interruptible
from ffi_cookbook.bindings.ctypes.patterns.containers import (
    dict_in,
    list_in,
    list_out,
    strings_in,
    tuple_out,
)
from ffi_cookbook.bindings.ctypes.patterns.mixed import add_three, scaled, score, shifted, stamp
from ffi_cookbook.bindings.ctypes.patterns.objects import (
    Counter,
    Point,
    countdown,
    struct_in,
    struct_out,
)
from ffi_cookbook.bindings.ctypes.patterns.scalars import (
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
from ffi_cookbook.bindings.ctypes.patterns.text import (
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


_compiler = declare(lib, "ck_compiler", ctypes.c_char_p)
_isa = declare(lib, "ck_isa", ctypes.c_char_p)


def about() -> dict[str, str]:
    """Return the tools that built this binding."""
    return {
        "technology": f"ctypes {ctypes.__version__}",
        "compiler": _compiler().decode(),
        "kernel": "C",
        "isa": _isa().decode(),
    }
