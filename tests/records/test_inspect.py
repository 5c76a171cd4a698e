"""`ffi-cookbook inspect`: what it says of good and bad files, and URLs."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import Any

import pytest

from ffi_cookbook import records
from ffi_cookbook.__main__ import main
from support.backends import needs
from support.nine_records import FILE, STARTS, damaged

SIZE = int(records.index(FILE, backend="python")[:, 1].sum())


def run(capfd: Any, *files: Any) -> tuple[int, str]:
    code = main(["inspect", *map(str, files)])
    return code, "".join(capfd.readouterr())


def test_a_good_file(path: Path, capfd: Any) -> None:
    code, text = run(capfd, path)
    assert code == 0
    assert text.startswith(f"{path}\n9 records, {SIZE} bytes of data\nSchema(")
    assert "'pixels': ('float32', 3)" in text
    path.write_bytes(gzip.compress(FILE))
    assert run(capfd, path) == (0, text)


def test_a_damaged_file(path: Path, capfd: Any) -> None:
    path.write_bytes(damaged(STARTS[3] + 20))
    code, text = run(capfd, path)
    assert code == 1
    assert "\n8 records, " in text
    assert f"\nbytes {STARTS[3]} to {STARTS[4]}: {path}: record 3 at byte" in text
    assert f"\ndamaged: 1 loss, {STARTS[4] - STARTS[3]} bytes: 1 " in text
    path.write_bytes(gzip.compress(FILE)[:-3])
    code, text = run(capfd, path)
    assert (code, "nothing after this byte can be read [COMPRESSION]" in text) == (1, True)


def test_other_messages(path: Path, capfd: Any) -> None:
    records.write(path, [b"\x09" + bytes(8)] * 3)
    code, text = run(capfd, path)
    assert (code, "3 records, 27 bytes of data" in text) == (1, True)
    assert "not tf.train.Examples" in text


def test_an_empty_file(path: Path, capfd: Any) -> None:
    path.write_bytes(b"")
    assert run(capfd, path) == (0, f"{path}\n0 records, 0 bytes of data\n")


def test_urls(capfd: Any) -> None:
    needs("fsspec").filesystem("memory").pipe_file("/command/nine", FILE)
    assert run(capfd, "memory://command/nine")[0] == 0
    assert run(capfd, "memory://command/none")[0] == 2


@pytest.mark.skipif(sys.platform == "win32", reason="this system has other signals")
def test_a_url_that_nothing_opens(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    code, text = run(capfd, "memory://x")
    assert code == 2
    assert text.endswith("memory://x: to read from a URL, install fsspec\n")


def test_many_files(path: Path, tmp_path: Path, capfd: Any) -> None:
    """The worst exit code is returned; a shell may name the indices beside the files."""
    other, bad = tmp_path / "other.tfrecord", tmp_path / "zbad.tfrecord"
    other.write_bytes(FILE)
    records.save_index(other, records.index(other))
    bad.write_bytes(damaged(STARTS[3] + 20))
    code, text = run(capfd, path, other, f"{other}.idx")
    assert (code, text.count("\n9 records")) == (0, 2)
    assert run(capfd, tmp_path / "*.tfrecord")[0] == 1
    code, text = run(capfd, tmp_path / "none", bad, tmp_path / "*.none", path)
    assert (code, text.count("\n9 records")) == (2, 1)
    assert "No file matches the pattern" in text
    code, text = run(capfd, f"{other}.idx")
    assert (code, "is an index, as save_index writes it" in text) == (2, True)


def test_nothing_of_a_file_controls_the_terminal(tmp_path: Path, capfd: Any) -> None:
    """Names, values, paths and errors are printed without control characters."""
    evil = "\x1b]0;owned\x07\x9b31m\u202e\n[red]"
    path = tmp_path / f"a{evil.replace('/', '')}.tfrecord"
    records.write(path, [{evil: evil.encode()}, {evil: [evil, "x"]}])
    broken = tmp_path / f"b{evil}.tfrecord"
    broken.write_bytes(path.read_bytes()[:-3])
    other = tmp_path / f"c{evil}.tfrecord"
    records.write(other, [b"\x09" + bytes(8)])
    mixed = tmp_path / f"d{evil}.tfrecord"
    records.write(mixed, [{evil: 1}, {evil: 0.5}])
    _, text = run(capfd, path, broken, other, mixed, tmp_path / f"none{evil}")
    assert "owned" in text
    assert not {c for c in text if not c.isprintable()} - {"\n"}
