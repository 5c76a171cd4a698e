"""A writer that is stopped in the middle leaves nothing under the file's name."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ffi_cookbook import records
from ffi_cookbook.files import write_file


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


class Stop(BaseException):
    """An exception that is neither an Exception nor an interrupt."""


def rows(error: BaseException) -> Iterator[bytes]:
    yield from [b"abc" * 100_000] * 20
    raise error


@pytest.mark.parametrize("error", [ValueError("x"), KeyboardInterrupt(), Stop()], ids=repr)
@pytest.mark.parametrize("compression", [None, "gzip"])
@pytest.mark.parametrize("before", [None, "as it was"])
def test_an_exception_leaves_nothing(
    error: BaseException, compression: Any, before: str | None, tmp_path: Path
) -> None:
    target = tmp_path / "target"
    if before:
        target.write_text(before)
    with pytest.raises(type(error)):
        records.write(target, rows(error), compression=compression)
    assert names(tmp_path) == (["target"] if before else [])
    assert not before or target.read_text() == before


def test_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    child = f"""
from ffi_cookbook import records
with records.Writer({str(tmp_path / "target")!r}) as writer:
    print("writing", flush=True)
    while True:
        writer.write(b"abc" * 10_000)
        writer._sink.write(b"")
"""
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", child], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdout
    with process.stdout as out:
        assert out.readline() == b"writing\n"
        process.send_signal(signal.SIGINT)
    assert process.wait(60) != 0
    assert names(tmp_path) == []


def test_nothing_is_there_before_the_end(tmp_path: Path) -> None:
    target = tmp_path / "target"
    writer = records.Writer(target)
    writer.write(bytes(1 << 20))
    assert not target.exists()
    writer.close()
    writer.close()
    assert target.stat().st_size == (1 << 20) + 16
    assert names(tmp_path) == ["target"]
    with pytest.raises(ValueError, match="closed"):
        writer.write(b"abc")


def test_a_writer_that_is_never_closed(tmp_path: Path) -> None:
    writer = records.Writer(tmp_path / "target")
    writer.write(bytes(1 << 20))
    del writer
    assert names(tmp_path) == []


def test_a_failure_that_is_swallowed(tmp_path: Path) -> None:
    """Bytes after a partial record would not be a record."""
    with records.Writer("/dev/full") as writer:
        with pytest.raises(OSError, match="No space left"):
            writer.write(bytes(1 << 20))
        with pytest.raises(ValueError, match="closed"):
            writer.write(b"abc")


def test_names_of_bytes(tmp_path: Path) -> None:
    write_file(os.fsencode(tmp_path / "target"), b"abc")  # type: ignore[arg-type]
    assert (tmp_path / "target").read_bytes() == b"abc"


def test_an_existing_file_is_replaced_after_fsync(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (calls.append("fsync"), fsync(handle)))
    monkeypatch.setattr(os, "replace", lambda *names: (calls.append("replace"), replace(*names)))
    write_file(tmp_path / "target", b"abc")
    assert calls == ["replace"]
    write_file(tmp_path / "target", b"abc")
    assert calls == ["replace", "fsync", "replace"]
