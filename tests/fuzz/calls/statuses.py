"""What parent and child share: the file with a row for each case."""

from __future__ import annotations

import numpy as np

ROW = np.dtype(
    [("status", "u1"), ("lies", "?"), ("n", "u1"), ("pad", "u1"), ("trace", "u4"), ("text", "u8")]
)
HEADER = 16  # the number of the running case, and the processor time of all in microseconds
DONE = -1
STATUSES = ["none", "result", "kernel", "refused", "memory", "own", "swallowed", "stray"]
STATUSES += ["damage", "absent", "crash", "hang"]
