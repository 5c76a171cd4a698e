"""The report of the data that a reader could not use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ffi_cookbook.bindings._glue.sharing import turn
from ffi_cookbook.bindings.errors import Code, RecordError


class Loss(NamedTuple):
    """Bytes [start, end) of the (decompressed) file that could not be used, and why."""

    start: int
    end: int
    error: RecordError


def counted(n: int, words: str) -> str:
    """Return a number with what is counted, such as "good records", in the singular for 1."""
    return f"{n} {words.removesuffix('s') if n == 1 else words}"


@dataclass
class Report:
    """The data that a reader dropped, or several in threads; filled while they read.

    Attributes:
        losses: the first `limit` losses, in the order of the file.
        count: the number of losses. One loss is one record, unless headers were damaged: then the
            number of records between two good ones is not known.
        bytes_lost: the number of bytes they had together.
        codes: the number of losses of each kind.
        limit: the greatest number of losses in `losses`.
    """

    losses: list[Loss] = field(default_factory=list)
    count: int = 0
    bytes_lost: int = 0
    codes: dict[Code, int] = field(default_factory=dict)
    limit: int = 1000

    @turn
    def add(self, loss: Loss) -> None:
        """Add a loss."""
        if self.count < self.limit:
            self.losses.append(loss)
        self.count += 1
        self.bytes_lost += loss.end - loss.start
        self.codes[loss.error.code] = self.codes.get(loss.error.code, 0) + 1

    def __str__(self) -> str:
        kinds = ", ".join(f"{n} {code.name}" for code, n in self.codes.items())
        losses = "1 loss" if self.count == 1 else f"{self.count} losses"
        return f"{losses}, {counted(self.bytes_lost, 'bytes')}{': ' if kinds else ''}{kinds}"
