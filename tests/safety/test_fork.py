"""A process that has used a binding and its threads forks, and the child uses the binding."""

from __future__ import annotations

import os
from types import ModuleType

import pytest

from support.backends import NATIVE, needs, open_backends
from support.processes import run_python

pytestmark = [
    pytest.mark.part("decode_examples", native=True),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here"),
]

SCRIPT = """
import importlib, os, signal, sys
import numpy as np
from support.shared_work import JOBS, small_model

backend = importlib.import_module(sys.argv[1])
parts = [JOBS[part] for part in JOBS if hasattr(backend, part)]
jobs = [job(backend) for part in parts for job in part.values()]
tokenizer = backend.Tokenizer(small_model()) if hasattr(backend, "Tokenizer") else None
texts = ["so many words that two threads have enough of them " * 4000] * 4

def work():
    big = np.ones((300, 300))
    ids, offsets = tokenizer.encode_batch(texts, 2) if tokenizer else (big, big)
    return (
        [job(i) for job in jobs for i in range(8)],
        backend.matmul(big, big, threads=2).tolist(),
        (ids.tobytes(), offsets.tobytes()),
    )

expected = work()
if child := os.fork():
    assert work() == expected
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
status = 1
signal.alarm(30)  # ends a child that hangs, and with it the hold on its parent's pipes
try:
    status = 0 if work() == expected else 2
finally:
    os._exit(status)
"""


def test_fork(backend: ModuleType) -> None:
    run_python("-c", SCRIPT, backend.__name__, seconds=120)


LOADER = """
import sys
import numpy as np, torch
import ffi_cookbook

bindings = [ffi_cookbook.load(name) for name in sys.argv[1:]]

class Products(torch.utils.data.Dataset):
    def __len__(self):
        return 12
    def __getitem__(self, i):
        a = np.full((300, 300), i + 1.0)
        return [backend.matmul(a, a, threads=2)[i, i] for backend in bindings]

expected = [[300.0 * (i + 1) ** 2] * len(bindings) for i in range(12)]
products = Products()
assert [products[i] for i in range(12)] == expected
loader = torch.utils.data.DataLoader(
    products, batch_size=None, num_workers=4, multiprocessing_context="fork", timeout=60
)
assert [[float(x) for x in item] for item in loader] == expected
"""


def test_data_loader() -> None:
    """Four workers are forked from a process whose bindings have started their threads."""
    needs("torch")
    names = [name for name, _ in open_backends("matmul") if name in NATIVE]
    run_python("-c", LOADER, *names, seconds=180)
