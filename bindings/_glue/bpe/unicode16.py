"""The class of every code point in Unicode 16, independent of this Python's Unicode version.

0 other, 1 Lu or Lt, 2 Ll, 3 Lm or Lo, 4 M, 5 N, 6 white space, 7 P or S.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

CODE_POINTS = 0x110000
BLOCK = 128


@cache
def classes() -> npt.NDArray[np.uint8]:
    """Return the class of each code point."""
    data = Path(__file__).with_suffix(".bin").read_bytes()
    words = np.frombuffer(data, "<u4")  # of each run: the first code point << 3 | class
    sizes = np.diff(words >> 3, append=np.uint32(CODE_POINTS))
    return np.repeat((words & 7).astype(np.uint8), sizes)


def two_stage(classes: npt.NDArray[np.uint8]) -> dict[str, npt.NDArray[np.generic]]:
    """Return classes as an index of blocks of 128 code points, equal ones stored once.

    The two lookup tables have 46 KB.
    """
    numbers: dict[bytes, int] = {}
    blocks = classes.reshape(-1, BLOCK)
    index = [numbers.setdefault(block.tobytes(), len(numbers)) for block in blocks]
    unique = np.frombuffer(b"".join(numbers), np.uint8).reshape(-1, BLOCK)
    return {"unicode_index": np.array(index, "<u2"), "unicode_blocks": unique}
