"""The records command: reports on good and bad files, pipes and URLs, and the files it leaves."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ffi_cookbook import records
from ffi_cookbook.__main__ import main
from support.backends import needs
from support.nine_records import FILE, STARTS, damaged

SPANS = records.index(FILE, backend="python")


def run(capfd: Any, *arguments: Any) -> tuple[int, str]:
    code = main(["records", *map(str, arguments)])
    return code, "".join(capfd.readouterr())


def test_the_command_line(path: Path, tmp_path: Path, capfd: Any) -> None:
    code, text = run(capfd, "inspect", path)
    assert code == 0
    assert "'pixels': ('float32', 3)" in text
    assert run(capfd, "verify", path) == (
        0,
        f"{path}: 9 good records, {len(FILE)} bytes; 0 losses, 0 bytes\n",
    )
    assert run(capfd, "index", path)[0] == 0
    assert records.load_index(path).tolist() == SPANS.tolist()
    path.write_bytes(damaged(STARTS[3] + 20))
    code, text = run(capfd, "verify", path)
    assert code == 1
    assert text.startswith(f"bytes {STARTS[3]} to {STARTS[4]}: {path}: record 3 at byte")
    assert f"; 1 loss, {STARTS[4] - STARTS[3]} bytes: 1 " in text
    assert run(capfd, "salvage", path, tmp_path / "saved")[0] == 1
    assert records.verify(tmp_path / "saved").records == 8
    assert run(capfd, "salvage", path, tmp_path / "saved")[0] == 2
    assert run(capfd, "verify", tmp_path / "nothing")[0] == 2
    for number in ("-1", "a"):
        code, text = run(capfd, "inspect", path, "--head", number)
        assert (code, "it must be a whole number" in text) == (2, True)
    path.write_bytes(FILE[: STARTS[1]])
    assert run(capfd, "inspect", path)[1].split("\n")[1].startswith("1 record, ")
    assert run(capfd, "verify", path)[1].startswith(f"{path}: 1 good record, {STARTS[1]} bytes;")
    assert run(capfd, "index", path)[1] == f"{path}.idx: 1 record\n"
    path.write_bytes(gzip.compress(FILE)[:-3])
    code, text = run(capfd, "salvage", path, tmp_path / "all")
    assert code == 1
    assert f"\n{path}: the compressed stream ends too early\n{path}: 9 good records" in text
    assert (tmp_path / "all").read_bytes() == FILE
    path.write_bytes(gzip.compress(FILE))
    assert run(capfd, "verify", path)[0] == 0
    assert run(capfd, "index", path)[0] == 2


@pytest.mark.skipif(sys.platform == "win32", reason="no /dev/stdin here")
def test_a_pipe(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "ffi_cookbook", "records"]

    def run(*arguments: Any) -> tuple[int, str]:
        done = subprocess.run(
            [*command, *map(str, arguments)], input=FILE, capture_output=True, check=False
        )
        return done.returncode, (done.stdout + done.stderr).decode()

    good = f"/dev/stdin: 9 good records, {len(FILE)} bytes; 0 losses, 0 bytes\n"
    assert run("verify", "/dev/stdin") == (0, good)
    assert run("salvage", "/dev/stdin", tmp_path / "saved") == (0, good)
    assert (tmp_path / "saved").read_bytes() == FILE
    code, text = run("inspect", "/dev/stdin")
    assert (code, "9 records" in text, "'pixels': ('float32', 3)" in text) == (0, True, True)
    code, text = run("index", "/dev/stdin")
    assert (code, text) == (2, "/dev/stdin is not a file, and an index is for random access\n")


def test_urls_on_the_command_line(tmp_path: Path, capfd: Any) -> None:
    needs("fsspec").filesystem("memory").pipe_file("/command/nine", FILE)
    assert run(capfd, "inspect", "memory://command/nine")[0] == 0
    assert run(capfd, "verify", "memory://command/nine")[0] == 0
    assert run(capfd, "verify", "memory://command/none")[0] == 2
    assert run(capfd, "index", "memory://command/nine")[0] == 2
    assert run(capfd, "salvage", "memory://command/nine", tmp_path / "saved")[0] == 0
    assert (tmp_path / "saved").read_bytes() == FILE


@pytest.mark.skipif(sys.platform == "win32", reason="this system has other signals")
def test_a_url_that_nothing_opens(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    code, text = run(capfd, "verify", "memory://x")
    assert (code, text) == (2, "memory://x: to read from a URL, install fsspec\n")


def test_interrupted(path: Path, tmp_path: Path) -> None:
    """On Ctrl-C, while an endless pipe is read, a new file is complete or does not exist."""
    program = (
        "import signal, sys, ffi_cookbook.__main__\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it\n"
        "sys.exit(ffi_cookbook.__main__.main())"
    )
    command = [sys.executable, "-P", "-c", program, "records", "salvage", "/dev/stdin"]
    with subprocess.Popen(
        [*command, str(tmp_path / "saved")], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as salvage:
        assert salvage.stdin
        assert salvage.stderr
        salvage.stdin.write(FILE * ((5 << 20) // len(FILE)))  # more than one read takes
        salvage.stdin.flush()
        while not list(tmp_path.glob("*.part")):
            assert salvage.poll() is None
        salvage.send_signal(signal.SIGINT)
        assert salvage.wait(60) == 130
        assert salvage.stderr.read() == b""
    assert os.listdir(tmp_path) == [path.name]


# ---- many files, other files ------------------------------------------------------------------


def test_many_files(path: Path, tmp_path: Path, capfd: Any) -> None:
    other, bad = tmp_path / "other.tfrecord", tmp_path / "zbad.tfrecord"
    other.write_bytes(FILE)
    for action in ("inspect", "verify", "index"):
        code, text = run(capfd, action, path, other)
        assert code == 0
        assert str(path) in text
        assert str(other) in text
    bad.write_bytes(damaged(STARTS[3] + 20))
    assert run(capfd, "verify", tmp_path / "*.tfrecord")[0] == 1
    code, text = run(capfd, "verify", tmp_path / "none", bad, tmp_path / "*.none", path)
    assert code == 2
    assert f"{path}: 9 good records" in text
    assert "No file matches the pattern" in text


def test_inspect(path: Path, capfd: Any) -> None:
    sizes = SPANS[:, 1]
    code, text = run(capfd, "inspect", path, "--head", "2")
    assert code == 0
    summary = f"9 records, {sizes.sum()} bytes of data: {sizes.min()} to {sizes.max()} a record"
    assert summary in text
    assert "record 1\n" in text
    assert "record 2\n" not in text
    assert "  ids: [-1, 0]\n" in text
    assert "  pair: [b'', b'\\x01']\n" in text
    path.write_bytes(damaged(STARTS[3] + 20))
    code, text = run(capfd, "inspect", path)
    assert (code, "8 records" in text, "record 3 at byte" in text) == (1, True, True)


def test_inspect_other_messages(path: Path, capfd: Any) -> None:
    records.write(path, [b"\x09" + bytes(8)] * 3)
    code, text = run(capfd, "inspect", path)
    assert (code, "3 records, 27 bytes of data" in text) == (1, True)
    assert "not tf.train.Examples" in text


def test_compressed_files(path: Path, capfd: Any) -> None:
    path.write_bytes(gzip.compress(FILE))
    assert run(capfd, "verify", path)[0] == run(capfd, "inspect", path)[0] == 0
    code, text = run(capfd, "index", path)
    assert (code, "is compressed (gzip)" in text) == (2, True)


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
    everything = [path, broken, other, mixed, tmp_path / f"none{evil}"]
    for action in ("inspect", "verify", "index"):
        head = ["--head", "5"] if action == "inspect" else []
        _, text = run(capfd, action, *everything, *head)
        assert "owned" in text
        assert not {c for c in text if not c.isprintable()} - {"\n"}
    _, text = run(capfd, "salvage", broken, tmp_path / f"new{evil}")
    assert not {c for c in text if not c.isprintable()} - {"\n"}


def test_files_that_a_shell_names_may_be_indices(tmp_path: Path, capfd: Any) -> None:
    """`index train.tfrecord-*`, run twice, names the indices of the first run too."""
    paths = [tmp_path / f"train.tfrecord-{i}" for i in range(2)]
    for path in paths:
        path.write_bytes(FILE)
    for _ in range(2):
        files = sorted(tmp_path.iterdir())
        for action in ("index", "verify", "inspect"):
            code, text = run(capfd, action, *files)
            assert (code, "is an index" in text) == (0, False)
    assert len(files) == 4
    code, text = run(capfd, "verify", files[1])
    assert (code, text) == (
        2,
        f"{files[1]} is an index, as save_index writes it, not a file of records\n",
    )
