"""The driver of a build script of cffi: it returns the C code of the extension module."""

from __future__ import annotations

import io
from typing import Any


def emitted(script: Any) -> str:
    """Return the C code that the script's `ffibuilder` makes."""
    text = io.StringIO()
    script.ffibuilder.emit_c_code(text)
    return text.getvalue()
