"""File objects with wrong results cause an exception, never bytes that nobody wrote."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ffi_cookbook import records
from support.nine_records import FILE, SCHEMA

SPANS = records.index(FILE)
Answer = Callable[[int, int], Any]
"""What a method returns, given how many bytes it has handled and how many it was given."""

IMPOSSIBLE, NO_INTEGER = (OSError, "must return a number of bytes from"), (TypeError, "integer")
WRONG = {
    "one more": (lambda n, given: given + 1, *IMPOSSIBLE),
    "many more": (lambda n, given: 2**70, *IMPOSSIBLE),
    "negative": (lambda n, given: -1, *IMPOSSIBLE),
    "text": (lambda n, given: "1", *NO_INTEGER),
    "float": (lambda n, given: 1.0, *NO_INTEGER),
}
WRONG_WRITES = {**WRONG, "nothing": (lambda n, given: 0, *IMPOSSIBLE)}


class Source(io.BytesIO):
    """A file whose `readinto` returns a wrong number from the second call on."""

    def __init__(self, data: bytes, answer: Answer) -> None:
        super().__init__(data)
        self._answer, self._calls = answer, 0

    def readinto(self, buffer: Any, /) -> Any:
        """Read, and return something else."""
        n, self._calls = super().readinto(buffer), self._calls + 1
        return n if self._calls == 1 else self._answer(n, len(buffer))


class Target:
    """A file whose `write` returns a wrong number."""

    def __init__(self, answer: Answer) -> None:
        self.written, self._answer = b"", answer

    def write(self, data: Any) -> Any:
        """Write everything, and return something."""
        self.written += bytes(data)
        return self._answer(len(data), len(data))


def read(source: Any) -> Any:
    return list(records.read(source, SCHEMA, chunk_size=100))


def gather(source: Any) -> Any:
    return records.gather(source, SPANS[::-1], SCHEMA)


@pytest.mark.parametrize("function", [read, records.index, gather, records.Schema.infer])
@pytest.mark.parametrize(("answer", "error", "message"), WRONG.values(), ids=WRONG)
def test_a_source(function: Any, answer: Answer, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        function(Source(FILE, answer))


@pytest.mark.parametrize(("answer", "error", "message"), WRONG_WRITES.values(), ids=WRONG_WRITES)
@pytest.mark.parametrize("compression", [None, "gzip"])
def test_a_target(compression: Any, answer: Answer, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        records.write(Target(answer), [b"abc"], compression=compression)


def test_a_target_that_says_nothing() -> None:
    target = Target(lambda *_: None)
    records.write(target, [b"abc"])
    assert target.written == records.frame(b"abc")


@contextmanager
def pipe(which: int) -> Iterator[Any]:
    """Yield one end of a pipe, which does not block, as a raw file."""
    ends = os.pipe()
    os.set_blocking(ends[which], False)
    with open(ends[0], "rb", 0) as reader, open(ends[1], "wb", 0) as writer:
        yield (reader, writer)[which]


def test_a_pipe_that_is_not_ready() -> None:
    """A raw file that does not block returns None: nothing has been read or written."""
    with pipe(0) as reader, pytest.raises(BlockingIOError, match=r"source\.readinto must block"):
        records.index(reader)
    with pipe(1) as writer, pytest.raises(BlockingIOError, match=r"target\.write must block"):
        records.write(writer, [bytes(1 << 20)])
