"""Records of a TFRecord file, and one of them with a wrong bit."""

from __future__ import annotations

import random
from collections.abc import Iterator

from benchmarks.ledger.kernels import Contender
from ffi_cookbook.bindings.errors import RecordError

PLACES = {"length CRC": (8, 12), "data": (12, -4), "data CRC": (-4, None)}
"""By name, where each part of a record lies that a CRC protects."""


def frames(data: bytes) -> Iterator[bytes]:
    """Yield each record of a file, with its header and footer."""
    at = 0
    while at < len(data):
        end = at + 16 + int.from_bytes(data[at : at + 8], "little")
        yield data[at:end]
        at = end


def damaged(records: list[bytes], place: str, draw: random.Random) -> list[bytes]:
    """Return the records, one of them with a wrong bit at a place."""
    number = draw.randrange(len(records))
    bad = bytearray(records[number])
    bad[draw.choice(range(len(bad))[slice(*PLACES[place])])] ^= 1 << draw.randrange(8)
    return [*records[:number], bytes(bad), *records[number + 1 :]]


def refuses(job: Contender) -> bool:
    """Return True if the job raises RecordError."""
    try:
        job.result()
    except RecordError:
        return True
    return False
