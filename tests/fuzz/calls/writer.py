"""A thread that writes to the arguments of a call while the call runs.

It does what any thread may: it fills and rewrites arrays, and sets their shape, strides and flags.
It does not resize with `refcheck=False`, by which NumPy frees memory that is exported.
"""

from __future__ import annotations

import random
import sys
import threading
import time

import numpy as np

from .acts import CHANGES, ODD, UNSAFE
from .case import Case

SAFE = [change for change in CHANGES[np.ndarray] if change not in UNSAFE]
WRITES = [SAFE[4], SAFE[5]]


class Writer:
    """The thread. `case` is the one whose arguments it changes, or None."""

    def __init__(self) -> None:
        self.case: Case | None = None
        self._lock, self._rng = threading.Lock(), random.Random(1)
        sys.setswitchinterval(1e-5)
        threading.Thread(target=self._write, daemon=True).start()

    def begin(self, case: Case) -> None:
        """Change the arguments of this case from now on."""
        self.case = case

    def end(self) -> None:
        """Change nothing more."""
        with self._lock:
            self.case = None

    def _write(self) -> None:
        while True:
            with self._lock:
                if self.case is not None:
                    self._change(self.case)
                    continue
            time.sleep(1e-5)

    def _change(self, case: Case) -> None:
        arrays = [x for x in case.values.values() if isinstance(x, np.ndarray)]
        if not arrays:
            return
        target, rng = self._rng.choice(arrays), self._rng
        for _ in range(4):
            try:
                rng.choice(WRITES if rng.random() < 0.7 else SAFE)(target, rng.choice(ODD))
            except (ValueError, TypeError, AttributeError, IndexError, OverflowError):
                continue
