"""The patterns through ctypes: one page for each subject, one function for each pattern.

`idiomatic` does as the documentation does where that lets more pass. Every call holds the GIL
(PyDLL), except in the patterns named nogil, the slices of `interruptible` and `idiomatic` (CDLL).
"""

from __future__ import annotations

import ctypes
from platform import python_version

from ffi_cookbook.bindings.ctypes.library import declare, lib
from ffi_cookbook.bindings.ctypes.patterns import idiomatic as idiomatic
from ffi_cookbook.bindings.ctypes.patterns.arrays import *
from ffi_cookbook.bindings.ctypes.patterns.calls import *
from ffi_cookbook.bindings.ctypes.patterns.containers import *
from ffi_cookbook.bindings.ctypes.patterns.objects import *
from ffi_cookbook.bindings.ctypes.patterns.scalars import *
from ffi_cookbook.bindings.ctypes.patterns.text import *

_compiler = declare(lib, "ck_compiler", ctypes.c_char_p)
_isa = declare(lib, "ck_isa", ctypes.c_char_p)


def about() -> dict[str, str]:
    """Return the tools that built this binding."""
    return {
        "technology": f"ctypes {python_version()}",
        "compiler": _compiler().decode(),
        "kernel": "C",
        "isa": _isa().decode(),
    }
