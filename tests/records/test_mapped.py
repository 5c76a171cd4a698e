"""A memory map is read like its file, even if the file is truncated meanwhile."""

from __future__ import annotations

import mmap
import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.records.reading.memory_map import MappedFile, is_mapped
from support.nine_records import EXPECTED, FILE, SCHEMA, plain

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="Linux's own")
PLENTY = records.frame(bytes(1 << 20))


@contextmanager
def mapped(path: Path, **access: Any) -> Iterator[mmap.mmap]:
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0, **access) as it:
        assert is_mapped(it)
        yield it


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "mapped.tfrecord"
    path.write_bytes(FILE)
    return path


def outcome(work: Callable[[], Any]) -> Any:
    """Return the result, or the error without its path."""
    try:
        return work()
    except RecordError as error:
        where = error.byte_offset, error.record, error.field
        return error.code, *where, error.expected, error.actual


def test_the_same_records(path: Path) -> None:
    with mapped(path, access=mmap.ACCESS_READ) as it:
        assert plain(records.read(it, SCHEMA)) == EXPECTED
        assert plain(records.read(it, SCHEMA, chunk_size=7)) == EXPECTED
        spans = records.index(it)
        assert plain([records.gather(it, spans[[8, 0, 3]], SCHEMA)]) == [
            EXPECTED[i] for i in (8, 0, 3)
        ]
    with mapped(path, access=mmap.ACCESS_COPY) as it:
        it[-1] ^= 1
        with pytest.raises(RecordError, match="CRC"):
            list(records.read(it, SCHEMA))


def test_a_map_that_does_not_know_its_file(path: Path) -> None:
    """One of no file, or made with trackfd=False."""
    with mmap.mmap(-1, len(FILE)) as anonymous:
        anonymous[:] = FILE
        assert plain(records.read(anonymous, SCHEMA)) == EXPECTED

    class Untracked(mmap.mmap):
        def size(self) -> int:
            raise ValueError("can't get size with trackfd=False")

    with open(path, "r+b") as file, Untracked(file.fileno(), 0) as it:
        assert plain(records.read(it, SCHEMA)) == EXPECTED


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_map_that_was_closed(path: Path) -> None:
    with mapped(path) as it:
        pass
    with pytest.raises(ValueError, match="closed"):
        records.index(it)


@pytest.mark.parametrize("size", [0, 1, 4096, 5000, 1 << 20])
def test_cut_while_it_is_read(path: Path, size: int) -> None:
    """The bytes read before are good; then the result is that of a file of the new size."""
    path.write_bytes(FILE + PLENTY + FILE)
    cut = path.with_name("cut")
    cut.write_bytes(path.read_bytes()[:size])
    with mapped(path, access=mmap.ACCESS_READ) as it:
        spans = records.index(it)
        batches = records.read(it, SCHEMA, batch_size=4, chunk_size=600)
        assert plain([next(batches)]) == EXPECTED[:4]
        os.truncate(path, size)
        with pytest.raises(RecordError):
            list(batches)
        for work in (
            lambda source: plain(records.read(source, SCHEMA)),
            lambda source: records.index(source).tolist(),
            lambda source: records.index(source, on_error="resync").tolist(),
            lambda source: plain([records.gather(source, spans[::-1], SCHEMA)]),
            lambda source: [c["x"].tolist() for c in records.read_fixed(source, [("x", "u1")])],
        ):
            assert outcome(lambda: work(it)) == outcome(lambda: work(cut))  # noqa: B023


def test_cut_at_any_moment(path: Path) -> None:
    """Another thread truncates the file, even while bytes are copied."""
    content = FILE + PLENTY * 8
    rng = random.Random(5)
    for _ in range(40):
        path.write_bytes(content)
        with mapped(path, access=mmap.ACCESS_READ) as it:
            begun = threading.Event()

            def cut(begun: threading.Event = begun, size: int = rng.randrange(8 << 20)) -> None:
                begun.wait()
                os.truncate(path, size)

            other = threading.Thread(target=cut)
            other.start()
            begun.set()
            found = outcome(lambda: records.index(it, chunk_size=1 << 16).tolist())
            other.join()
            assert isinstance(found, tuple) or len(found) == len(EXPECTED) + 8


def test_a_child_reads_its_own_memory(path: Path) -> None:
    with mapped(path, access=mmap.ACCESS_COPY) as it, MappedFile(it) as file:
        pid = os.fork()
        if pid == 0:
            it[0:4] = b"mine"
            os._exit(file.read(4) != b"mine")
        assert os.waitpid(pid, 0)[1] == 0


def test_a_map_that_is_read_cannot_be_closed(path: Path) -> None:
    with mapped(path, access=mmap.ACCESS_READ) as it:
        batches = records.read(it, SCHEMA, batch_size=2)
        next(batches)
        with pytest.raises(BufferError):
            it.close()
        batches.close()
        assert np.array_equal(records.index(it), records.index(FILE))
