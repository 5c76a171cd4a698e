"""The patterns in plain Python: the cost of each when no boundary is crossed.

There is one module per subject and one function per pattern.
"""

from __future__ import annotations

import platform

from ffi_cookbook.bindings.python.patterns.arrays import *
from ffi_cookbook.bindings.python.patterns.calls import *
from ffi_cookbook.bindings.python.patterns.containers import *
from ffi_cookbook.bindings.python.patterns.objects import *
from ffi_cookbook.bindings.python.patterns.scalars import *
from ffi_cookbook.bindings.python.patterns.text import *


def about() -> dict[str, str]:
    """Return the tools that built this binding."""
    technology = f"{platform.python_implementation()} {platform.python_version()}"
    return {"technology": technology, "compiler": "none", "kernel": "Python", "isa": "bytecode"}
