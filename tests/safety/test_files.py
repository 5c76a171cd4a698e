"""Files that are written are complete under their names, or do not exist."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from races.ring import Ring

from ffi_cookbook import records
from ffi_cookbook.files import write_file
from ffi_cookbook.tokenizer.train import save_tiktoken
from support.processes import run_python

ROWS = [{"a": [1, 2, 3]}] * 50
RANKS = {bytes([byte]): byte for byte in range(256)}

Write = Callable[[Path], object]

WRITES: dict[str, Write] = {
    "write": lambda target: records.write(target, ROWS),
    "gzip": lambda target: records.write(target, ROWS, compression="gzip"),
    "vocabulary": lambda target: save_tiktoken(RANKS, target),
    "file": lambda target: write_file(target, b"abc", memoryview(b"def")),
}
every_write = pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# ---- names ------------------------------------------------------------------------------------


@every_write
def test_one_file_appears(write: Write, tmp_path: Path) -> None:
    target = tmp_path / "target"
    write(target)
    first = target.read_bytes()
    write(target)
    assert target.read_bytes() == first
    assert names(tmp_path) == ["target"]


@every_write
def test_a_link_is_replaced(write: Write, tmp_path: Path) -> None:
    victim, target = tmp_path / "victim", tmp_path / "target"
    victim.write_text("precious")
    target.symlink_to(victim)
    write(target)
    assert victim.read_text() == "precious"
    assert not target.is_symlink()


@every_write
def test_temporary_names_are_unpredictable(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    plain = os.open

    def watched(path: Any, flags: int, *more: Any, **options: Any) -> int:
        if flags & os.O_CREAT and os.fspath(path).startswith(str(tmp_path)):
            seen.append((os.path.basename(path), flags))
        return plain(path, flags, *more, **options)

    monkeypatch.setattr(os, "open", watched)
    write(tmp_path / "target")
    write(tmp_path / "target")
    opened = [name for name, _ in seen]
    assert len(set(opened)) == len(opened) == 2
    assert all(flags & os.O_EXCL and flags & os.O_NOFOLLOW for _, flags in seen)
    assert not any(str(os.getpid()) == part for name in opened for part in name.split("."))


@every_write
def test_threads_that_write_one_file(write: Write, tmp_path: Path) -> None:
    target = tmp_path / "target"
    write(target)
    Ring(3, 0, tmp_path).once(lambda _: [write(target) for _ in range(30)])
    assert names(tmp_path) == ["target"]


@every_write
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_the_mode_follows_the_umask(write: Write, mask: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        write(tmp_path / "target")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "target").stat().st_mode) == 0o666 & ~mask


# ---- faults -----------------------------------------------------------------------------------


@every_write
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("no folder/target", FileNotFoundError),
        ("file/target", NotADirectoryError),
        ("folder", IsADirectoryError),
        ("n" * 300, OSError),
    ],
)
def test_errors_name_what_was_asked_for(
    write: Write, name: str, kind: type[OSError], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(kind) as caught:
        write(tmp_path / name)
    assert caught.value.filename == str(tmp_path / name)
    assert ".part" not in str(caught.value)
    assert names(tmp_path) == ["file", "folder"]


def refused(name: str, target: Path, limit: str, error: str) -> None:
    """Check that a write in a child with a limit raises an error that names the target."""
    child = f"""
import os, resource
from pathlib import Path
from ffi_cookbook import records
from safety import test_files
records.frame(b"")  # loads what another user may not read
{limit}
try:
    test_files.WRITES[{name!r}](Path({str(target)!r}))
except OSError as error:
    assert error.filename == {str(target)!r} and ".part" not in str(error), error
    print(error.strerror)
"""
    assert run_python("-c", child) == f"{error}\n"


@pytest.mark.parametrize("name", WRITES)
def test_a_folder_that_cannot_be_written_to(name: str) -> None:
    """The child is not root, which permissions would not stop."""
    with TemporaryDirectory() as top:
        os.chmod(top, 0o755)
        folder = Path(top) / "folder"
        folder.mkdir(mode=0o555)
        limit = "os.getuid() == 0 and os.setuid(65534)"
        refused(name, folder / "target", limit, "Permission denied")
        assert names(folder) == []


@pytest.mark.parametrize("name", WRITES)
def test_a_disk_that_is_full(name: str, tmp_path: Path) -> None:
    """The child limits the size of its files."""
    target = tmp_path / "target"
    target.write_text("as it was")
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (4, 4))"
    refused(name, target, limit, "File too large")
    assert names(tmp_path) == ["target"]
    assert target.read_text() == "as it was"


def test_a_device_is_written_to() -> None:
    write_file("/dev/null", b"abc")
    assert not stat.S_ISREG(os.stat("/dev/null").st_mode)


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe, found = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    records.write(pipe, [b"abc"])
    reader.join()
    assert found == [records.frame(b"abc")]
    assert names(tmp_path) == ["pipe"]


# ---- A writer that is stopped in the middle leaves nothing under the file's name.


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


@pytest.mark.parametrize("ending", ["del writer", "writer.discard()", "writer.close()"])
def test_a_fork_leaves_the_file_to_its_parent(ending: str, tmp_path: Path) -> None:
    child = f"""
import os, sys
from ffi_cookbook import records
writer = records.Writer(sys.argv[1])
writer.write(b"abc")
if os.fork() == 0:
    {ending}
    os._exit(0)
ended = os.wait()[1] == 0
writer.write(b"def")
writer.close()
print(ended, len(records.index(sys.argv[1])))
"""
    ends = ending != "writer.close()"  # which raises RuntimeError
    assert run_python("-c", child, tmp_path / "target").split() == [str(ends), "2"]
    assert names(tmp_path) == ["target"]


def test_a_failure_that_is_swallowed(tmp_path: Path) -> None:
    """Bytes after a partial record would not be a record."""
    with records.Writer("/dev/full") as writer:
        with pytest.raises(OSError, match="No space left"):
            writer.write(bytes(1 << 20))
        with pytest.raises(ValueError, match="closed"):
            writer.write(b"abc")


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
