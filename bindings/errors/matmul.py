"""The exceptions of matmul."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ffi_cookbook.bindings.errors.code import Code

_ARGUMENTS = ("a", "b", "out")

_MESSAGES = {
    Code.OVERLAP: "out must not overlap a or b",
    Code.DIMENSIONS: "{argument} must have 2 or 3 dimensions, not {actual}",
    Code.INNER_SIZE: "a has {expected} columns but b has {actual} rows",
    Code.BATCH_SIZE: "a has {expected} matrices but b has {actual}",
    Code.LAYOUT: "out must be C-contiguous and aligned",
    Code.THREADS: "threads must be at least 1, not {actual}",
}


def matmul_error(error: Sequence[int], out: Any = None) -> Exception:
    """Return the exception for the six integers of a `ck_error`.

    `out` is the argument of the call, whose shape one message names.
    """
    code, matrices, _, field, expected, actual = error
    argument = _ARGUMENTS[field]
    if code == Code.DTYPE:
        return TypeError(
            f"{argument} must be float32 or float64 in native byte order, as the other arrays are"
        )
    if code == Code.MEMORY:
        return MemoryError("the product does not fit in memory")
    if code == Code.SHAPE:
        shape = (expected, actual) if matrices < 0 else (matrices, expected, actual)
        return ValueError(f"out must have shape {shape}, not {np.asarray(out).shape}")
    message = _MESSAGES[Code(code)]
    return ValueError(message.format(argument=argument, expected=expected, actual=actual))
