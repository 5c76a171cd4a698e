"""The types of the arguments and results that cross the boundary."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Buffer: TypeAlias = Any
"""Any object with a C-contiguous buffer: bytes, bytearray, memoryview, mmap, a numpy array."""
Text: TypeAlias = str | bytes
"""A text; bytes must be UTF-8."""
Matrix: TypeAlias = npt.NDArray[np.float32] | npt.NDArray[np.float64]
Floats: TypeAlias = npt.NDArray[np.float64]
Int64Array: TypeAlias = npt.NDArray[np.int64]
Uint8Array: TypeAlias = npt.NDArray[np.uint8]
Uint32Array: TypeAlias = npt.NDArray[np.uint32]
