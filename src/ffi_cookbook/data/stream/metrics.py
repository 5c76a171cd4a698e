"""Metrics: the records that a stream has delivered, and the time that it has waited."""

from __future__ import annotations

import time
from dataclasses import dataclass, fields
from typing import Any

from ffi_cookbook.bindings._glue.sharing import turn

clock = time.perf_counter


@dataclass
class Metrics:
    """What this process has received from a stream since it was made or since `reset`.

    Threads that iterate at a time are added up, and so are the seconds in threads.

    Attributes:
        batches, records, bytes: the numbers received; the bytes are those of the columns.
        lost: records that `on_error` has left out of these batches.
        elapsed: seconds from the beginning of an iteration to its latest batch.
        waited: seconds of these in which the training loop has waited for a batch.
        reading: seconds in which threads have read, verified and decoded these batches.
        collating: seconds in which threads have run `collate`.
    """

    batches: int = 0
    records: int = 0
    bytes: int = 0
    lost: int = 0
    elapsed: float = 0.0
    waited: float = 0.0
    reading: float = 0.0
    collating: float = 0.0

    @property
    def bottleneck(self) -> str:
        """What limits the speed: "loop", "reading" or "collate".

        "loop" is the training loop, which has waited less than 5 % of the time.
        """
        if self.waited < 0.05 * self.elapsed or not self.elapsed:
            return "loop"
        return "collate" if self.collating > self.reading else "reading"

    @turn
    def add(self, made: Any, elapsed: float, waited: float) -> None:
        """Count a batch that is handed out (a `maker.Made`), and the seconds before it."""
        self.batches += 1
        self.records += made.records
        self.bytes += made.bytes
        self.lost += made.lost
        self.elapsed += elapsed
        self.waited += waited
        self.reading += made.reading
        self.collating += made.collating

    @turn
    def reset(self) -> None:
        """Begin to count anew."""
        for one in fields(self):
            setattr(self, one.name, one.default)
