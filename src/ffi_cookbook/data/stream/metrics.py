"""Metrics: the records that a stream has delivered, and the time that it has waited."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, fields
from typing import Any

clock = time.perf_counter


@dataclass
class Metrics:
    """What this process has received from a stream since it was made or since `reset`.

    Only the thread that iterates writes it. Seconds in threads are added up over the threads.

    Attributes:
        batches, records, bytes: the numbers received; the bytes are those of the columns.
        lost: records that `on_error` has left out of these batches.
        elapsed: seconds from the beginning of an iteration to its latest batch.
        waited: seconds of these in which the training loop has waited for a batch.
        reading: seconds in which threads have read, verified and decoded these batches.
        collating: seconds in which threads have run `collate`.
        gil: seconds in which threads have waited for the GIL to run `collate`, estimated.
        ready: results that were ready when the latest batch was asked for.
    """

    batches: int = 0
    records: int = 0
    bytes: int = 0
    lost: int = 0
    elapsed: float = 0.0
    waited: float = 0.0
    reading: float = 0.0
    collating: float = 0.0
    gil: float = 0.0
    ready: int = 0

    @property
    def records_per_second(self) -> float:
        """The number of records received in a second."""
        return self.records / self.elapsed if self.elapsed else 0.0

    @property
    def bytes_per_second(self) -> float:
        """The number of bytes received in a second."""
        return self.bytes / self.elapsed if self.elapsed else 0.0

    @property
    def share_waited(self) -> float:
        """The part of the time in which the training loop waited, from 0 to 1."""
        return self.waited / self.elapsed if self.elapsed else 0.0

    @property
    def share_collating(self) -> float:
        """The part of the threads' time that `collate` took, from 0 to 1."""
        busy = self.reading + self.collating
        return self.collating / busy if busy else 0.0

    @property
    def share_gil(self) -> float:
        """The part of the threads' time in which they waited for the GIL, from 0 to 1, about.

        They look every 50 ms, before what is read at once.
        """
        busy = self.reading + self.collating + self.gil
        return self.gil / busy if busy else 0.0

    @property
    def bottleneck(self) -> str:
        """What limits the speed: "loop", "reading", "collate", or "GIL".

        "loop" is the training loop, which has waited less than 5 % of the time. "GIL" means that
        threads wait for one another, since `collate` or the training loop holds the GIL: more of
        them do not help. That takes two threads to see, and processors that are free for them.
        """
        if self.share_waited < 0.05:
            return "loop"
        if self.share_gil > 0.1:
            return "GIL"
        return "collate" if self.share_collating > 0.5 else "reading"

    def add(self, made: Any) -> None:
        """Count a batch that is handed out; see `making.Made`."""
        self.batches += 1
        self.records += made.records
        self.bytes += made.bytes
        self.lost += made.lost
        self.reading += made.reading
        self.collating += made.collating
        self.gil += made.gil

    def reset(self) -> None:
        """Begin to count anew."""
        for one in fields(self):
            setattr(self, one.name, one.default)

    def scalars(self) -> dict[str, float]:
        """Return every number by name, as TensorBoard and others take them."""
        rates = "records_per_second", "bytes_per_second", "share_waited", "share_collating"
        names = *rates, "share_gil"
        return {**asdict(self), **{name: getattr(self, name) for name in names}}

    def json_line(self) -> str:
        """Return every number by name, and the bottleneck, as one line of JSON."""
        return json.dumps({**self.scalars(), "bottleneck": self.bottleneck})
