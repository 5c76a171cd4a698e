"""The patterns through cffi: one page for each subject, one function for each pattern.

`idiomatic` does as the documentation does where that lets more pass. Every call releases the GIL:
cffi cannot hold it.
"""

from __future__ import annotations

import cffi

from ffi_cookbook.bindings.cffi.library import ffi, lib
from ffi_cookbook.bindings.cffi.patterns import idiomatic as idiomatic
from ffi_cookbook.bindings.cffi.patterns.arrays import *
from ffi_cookbook.bindings.cffi.patterns.calls import *
from ffi_cookbook.bindings.cffi.patterns.containers import *
from ffi_cookbook.bindings.cffi.patterns.objects import *
from ffi_cookbook.bindings.cffi.patterns.scalars import *
from ffi_cookbook.bindings.cffi.patterns.text import *


def about() -> dict[str, str]:
    """Return the tools that built this binding."""
    return {
        "technology": f"cffi {cffi.__version__}",
        "compiler": ffi.string(lib.ck_compiler()).decode(),
        "kernel": "C",
        "isa": ffi.string(lib.ck_isa()).decode(),
    }
