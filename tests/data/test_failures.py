"""What goes wrong around a stream is an error at once: no hang, no thread and no file is left."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ffi_cookbook import records
from ffi_cookbook.data import RecordDataset, RecordStream, TokenStream, tokenize
from ffi_cookbook.tokenizer import Model
from support.processes import run_python

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and limits")

INTERRUPTED = """
import os, random, signal, sys, time
from ffi_cookbook import records
from ffi_cookbook.data import RecordStream

schema = records.Schema({"number": ("int64", ())})
options = {"batch_size": 2, "threads": 2, "collate": lambda batch: time.sleep(1e-4)}
stream = RecordStream(sys.argv[1:], schema, **options)
def threads():
    return len(os.listdir("/proc/self/task"))

signal.signal(signal.SIGALRM, signal.default_int_handler)
random.seed(1)
before, interrupted = threads(), 0
for _ in range(100):
    # Once more after a second: Python drops an exception in a weak reference's callback.
    signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-4, 5e-3), 1)
    try:
        while True:
            for batch in stream:
                pass
    except KeyboardInterrupt:
        signal.setitimer(signal.ITIMER_REAL, 0)
        interrupted += 1
    end = time.monotonic() + 30
    while threads() > before:  # one that was about to start when the others ended
        assert time.monotonic() < end
print(interrupted)
"""
HANGING = """
import os, signal, sys, threading, time
from ffi_cookbook import records
from ffi_cookbook.data import RecordStream

begun = threading.Event()
def collate(batch):
    if batch["number"][0] < 4:
        return batch
    begun.set()
    if sys.argv[1] == "sleeps":
        time.sleep(1000)
    threading.Lock().acquire() and threading.Event().wait()

def interrupt():
    begun.wait()
    time.sleep(0.2)  # for the loop, to wait for the batch
    os.kill(os.getpid(), signal.SIGINT)

schema = records.Schema({"number": ("int64", ())})
stream = RecordStream(sys.argv[3:], schema, batch_size=2, threads=2, collate=collate)
threading.Thread(target=interrupt, daemon=True).start()
batches = iter(stream)
for batch in batches if sys.argv[2] == "held" else stream:
    print(batch["number"].tolist(), flush=True)
    if sys.argv[2] == "loop" and batch["number"][0] == 2:
        time.sleep(1000)
"""
LIMIT = """
import os, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
from ffi_cookbook.data import tokenize
from ffi_cookbook.tokenizer import Model

model = Model.from_ranks({bytes([n]): n for n in range(256)}, pattern="gpt2")
try:
    tokenize("corpus.txt", "tokens", model, end=None)
except OSError as error:
    print(error.strerror, error.filename.split(os.sep)[0])
print(os.listdir("tokens"))
"""


def test_ctrl_c_at_any_moment_ends_the_iteration(files: Any, tmp_path: Path) -> None:
    assert run_python("-c", INTERRUPTED, *files.paths, cwd=tmp_path) == "100\n"


@pytest.mark.parametrize("how", ["sleeps", "waits"])
@pytest.mark.parametrize("where", ["next", "held", "loop"])
def test_ctrl_c_ends_a_program_whose_collate_hangs(files: Any, how: str, where: str) -> None:
    """At once where the program waits for the batch, or else within the time of a normal end."""
    command = [sys.executable, "-P", "-c", HANGING, how, where, *map(str, files.paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == -signal.SIGINT
    assert done.stdout == "[0, 1]\n[2, 3]\n"
    assert done.stderr.rstrip().endswith("KeyboardInterrupt")
    assert done.stderr.count("RuntimeWarning") == (where == "loop")


def test_a_full_disk_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    """The limit of the size of a file stands for a disk that is full."""
    (tmp_path / "corpus.txt").write_text("some words " * 500)
    assert run_python("-c", LIMIT, cwd=tmp_path) == "File too large tokens\n[]\n"


@pytest.mark.parametrize("threads", [0, 2])
def test_a_file_that_has_vanished_is_named(
    tmp_path: Path, threads: int, threads_ahead: Any
) -> None:
    path, schema = tmp_path / "0.tfrecord", records.Schema({"number": ("int64", ())})
    records.write(path, ({"number": n} for n in range(50)))
    (tmp_path / "corpus.txt").write_text("some words " * 50)
    model = Model.from_ranks({bytes([n]): n for n in range(256)}, pattern="gpt2")
    tokenize(tmp_path / "corpus.txt", tmp_path / "tokens", model, end=None)
    dataset = RecordDataset(path, schema, on_error="skip")
    options: Any = {"batch_size": 5, "threads": threads}
    streams: list[Any] = [RecordStream(dataset, **options)]
    streams.append(TokenStream(tmp_path / "tokens/*.bin", 8, **options))
    for stream, gone in zip(streams, (path, tmp_path / "tokens/00000.bin"), strict=True):
        gone.unlink()
        with pytest.raises(FileNotFoundError, match=gone.name):
            list(stream)
        assert threads_ahead() == 0
