"""The patterns through torch: one page for each subject, one operator for each pattern.

A page has its Python and its C++ side by side. `idiomatic` does as the documentation does where
that lets more pass.
"""

from __future__ import annotations

import torch

from ffi_cookbook.bindings.torch.library import ops
from ffi_cookbook.bindings.torch.patterns import idiomatic as idiomatic
from ffi_cookbook.bindings.torch.patterns.arrays import *
from ffi_cookbook.bindings.torch.patterns.calls import *
from ffi_cookbook.bindings.torch.patterns.containers import *
from ffi_cookbook.bindings.torch.patterns.objects import *
from ffi_cookbook.bindings.torch.patterns.scalars import *
from ffi_cookbook.bindings.torch.patterns.text import *


def about() -> dict[str, str]:
    """Return the tools that built this binding."""
    return {
        "technology": f"torch {torch.__version__} (stable ABI 2.10)",
        "compiler": ops.compiler(),
        "kernel": "C",
        "isa": ops.isa(),
    }
