"""Without free memory a call is right or raises MemoryError, and Python survives."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from support.backends import needs
from support.processes import run_python

STATM = Path("/proc/self/statm")
pytestmark = pytest.mark.skipif(not STATM.exists(), reason="no /proc here")

SCRIPT = """
import importlib, resource, sys
from pathlib import Path
import numpy as np
from ffi_cookbook.tokenizer import Model

backend = importlib.import_module(sys.argv[1])
ranks = {bytes([i]): i for i in range(256)} | {b"aa": 256, b"aaa": 257, b"aaaa": 258}
tokenizer = backend.Tokenizer(Model.from_ranks(ranks, pattern="gpt2"))
one, scattered = np.ones((1100, 1100), np.float32), np.ones((2200, 2200), np.float32)
product, text = np.empty((1100, 1100), np.float32), "so many words " * 200_000
pretoken, lone, many = b"ab" * 1_000_000, "\\ud800" + "ab" * 1_000_000, [text[:1400]] * 4_000
ids, out = np.array([97, 98] * 1_000_000, np.uint32), np.empty(2_000_000, np.uint32)

def is_whole(result):
    return result[1][-1] == result[0].size == 4_000 * 1400

CALLS = {
    "matmul": lambda: backend.matmul(one, one)[7, 7] == 1100,
    "matmul out=": lambda: backend.matmul(one, one, out=product, threads=2)[7, 7] == 1100,
    "matmul of strides": lambda: backend.matmul(scattered[::2, ::2].T, one)[7, 7] == 1100,
    "encode": lambda: tokenizer.encode(text).size == len(text),
    "encode a pretoken": lambda: tokenizer.encode(pretoken).size == len(pretoken),
    "encode a surrogate": lambda: tokenizer.encode(lone).size == len(pretoken) + 3,
    "encode_batch": lambda: is_whole(tokenizer.encode_batch(many, 2)),
    "encode_into": lambda: tokenizer.encode_into(pretoken, out) == len(pretoken),
    "count": lambda: tokenizer.count(text) == len(text),
    "split": lambda: tokenizer.split(text).size == 600_001,
    "decode": lambda: tokenizer.decode(ids) == pretoken,
}

def limit(size):
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.RLIM_INFINITY))

for name, call in CALLS.items():
    assert call(), name
    for spare in (1 << 18, 1 << 20, 5 << 20, 18 << 20):
        print(name, spare, flush=True)
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        limit(used + spare)
        try:
            right = call()
        except MemoryError:
            right = True
        finally:
            limit(resource.RLIM_INFINITY)
        assert right
    assert call(), name
"""


@pytest.mark.part("Tokenizer", native=True)
def test_no_memory(backend: ModuleType) -> None:
    needs("resource")
    released = {"MALLOC_MMAP_THRESHOLD_": "65536"}  # freed memory goes back to the system
    run_python("-c", SCRIPT, backend.__name__, env=released, seconds=120)
