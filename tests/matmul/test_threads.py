"""matmul: threads and instruction sets change no bit, and threads may call it at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest

from support.backends import KERNELS, NATIVE, open_backends
from support.matrices import ISAS
from support.processes import run_in_child

pytestmark = pytest.mark.part("matmul")


def test_more_threads_than_processors(backend: ModuleType) -> None:
    assert (backend.matmul(np.ones((3, 4)), np.ones((4, 5)), threads=100_000) == 4).all()


BITS = """
import hashlib, sys
import numpy as np
import ffi_cookbook

random, digests = np.random.default_rng(5), {}
bindings = {(name, n): ffi_cookbook.load(name).matmul for name in sys.argv[1:] for n in (1, 2, 5)}
for turn in range(300):
    m, k, n = random.integers(1, [60, 60, 110] if turn % 20 else [160, 600, 200])
    dtype = (np.float32, np.float64)[turn % 2]
    batch = (int(random.integers(1, 12)),)  # none, of both, of a, of b
    of_a, of_b = [((), ()), ((), ()), (batch, batch), (batch, ()), ((), batch)][turn % 5]
    a, b = random.standard_normal((*of_a, m, k)), random.standard_normal((*of_b, k, n))
    a, b = a.astype(dtype), b.astype(dtype)
    if turn % 3 == 1:
        b = b.swapaxes(-1, -2).copy().swapaxes(-1, -2)
    if turn % 7 == 1:
        a = np.asfortranarray(a)[..., ::-1, :]
    for (name, threads), matmul in bindings.items():
        digest = digests.setdefault((name, threads), hashlib.sha256())
        digest.update(matmul(a, b, threads=threads))
for (name, threads), digest in digests.items():
    print(name, threads, digest.hexdigest())
"""


@pytest.mark.parametrize(
    "chosen", [KERNELS, pytest.param(NATIVE, marks=pytest.mark.full)], ids=["kernels", "native"]
)
def test_one_bit_pattern(chosen: tuple[str, ...]) -> None:
    """The result has the same bytes with every kernel, instruction set and number of threads.

    In the full suite this includes every native binding.
    """
    names = [name for name, _ in open_backends("matmul") if name in chosen]
    command = [sys.executable, "-P", "-c", BITS, *names]
    runs = [
        subprocess.Popen(
            command, env={**os.environ, "COOKBOOK_ISA": isa}, stdout=subprocess.PIPE, text=True
        )
        for isa in ISAS
    ]
    digests = {}
    for run, isa in zip(runs, ISAS, strict=True):
        lines = run.communicate()[0].splitlines()
        assert run.returncode == 0
        assert len(lines) == 3 * len(names)
        digests |= {(isa, *line.split()[:2]): line.split()[2] for line in lines}
    assert len(set(digests.values())) == 1, digests


AFFINITY = """
import os, threading
from ffi_cookbook.tokenizer import Model

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
tokenizer = k.Tokenizer(Model.from_ranks({bytes([i]): i for i in range(256)}, pattern="gpt2"))
big, texts = np.ones((900, 900)), ["so many words that are worth a thread " * 1000] * 100
running, seen, done = lambda: len(os.listdir("/proc/self/task")), [], threading.Event()

def watch():
    while not done.wait(0.0005):
        seen.append(running())

watcher = threading.Thread(target=watch)
watcher.start()
before = running()
before_calls = len(seen)
while len(seen) == before_calls:  # a busy processor may not run the other thread
    k.matmul(big, big, threads=64)
    tokenizer.encode_batch(texts, 64)
done.set()
watcher.join()
assert max(seen) <= before, (before, max(seen))
"""


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity here")
@pytest.mark.part("Tokenizer", native=True)
def test_one_processor_one_thread(backend: ModuleType) -> None:
    """A thread that could only wait for others is not started."""
    run_in_child(backend, [AFFINITY], seconds=60)


@pytest.mark.part("matmul", native=True)
def test_a_signal_is_handled_when_the_product_is_done(backend: ModuleType) -> None:
    """A call runs to its end in spite of signals, as docs/matmul.md says."""
    k = 1 << 25
    row, column = np.broadcast_to(np.float32(1), (1, k)), np.broadcast_to(np.float32(1), (k, 1))
    out = np.zeros((1, 1), np.float32)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - any of the calls may be interrupted
            while True:
                out[:] = 0
                signal.setitimer(signal.ITIMER_REAL, 0.005)
                backend.matmul(row, column, out=out)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert out[0, 0] in (0, 1 << 24)  # where float32 stops counting: either complete or untouched
