"""Make calls of a binding on threads, or take samples of a loader, for each line of stdin."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import numpy as np

import ffi_cookbook

CASES = {
    "noop": ("f = p.noop", "f()"),
    "add_int": ("f = p.add_int", "f(3, 4)"),
    "str_in": ("f = p.str_in", "f('hello world')"),
    "array_in": ("f, x = p.array_in, np.ones(16)", "f(x)"),
    "list_in": ("f, x = p.list_in, [1.0] * 8", "f(x)"),
    "new object": ("f = p.Point", "f(1.0, 2.0)"),
    "own method": ("f = p.Counter(0).add", "f(1)"),
    "shared method": ("f = shared.add", "f(1)"),
}
"""What each thread makes for itself, and the call."""
UNROLLED, SAMPLES = 100, 4096
LOOP = """\
def run(start, end, now=now):
    {own}
    sleep(max(0, start - now()))
    first, done = now(), 0
    while not done or now() < end:
        {work}
        done += {amount}
    return done, first, now()
"""
Run = Callable[[float, float], tuple[int, float, float]]
"""From one moment to another; it returns how much it did, and its first and last moment."""


@cache
def calls(binding: str, case: str) -> Run:
    """Return a function that makes calls."""
    patterns, (own, call) = ffi_cookbook.load(binding).patterns, CASES[case]
    names = {"np": np, "p": patterns, "shared": patterns.Counter(0)}
    return _loop(own, "; ".join([call] * UNROLLED), UNROLLED, names)


def _loop(own: str, work: str, amount: int, names: dict[str, Any]) -> Run:
    names |= {"now": perf_counter, "sleep": sleep}
    exec(LOOP.format(own=own, work=work, amount=amount), names)
    found: Run = names["run"]
    return found


def collate(batch: Any) -> Any:
    """Return tensors, after Python code for each sample."""
    from ffi_cookbook.data import to_torch

    deque((sum(row) for row in batch["x"].tolist()), 0)
    return to_torch(batch)


@cache
def passes(folder: str, loader: str) -> Run:
    """Return a function that takes all samples of a loader again and again."""
    from studies.records.loaders import drain, streams

    own = Path(folder, f"{os.getpid()}")
    own.mkdir(exist_ok=True)
    x = np.random.default_rng(1).random((SAMPLES, 64), np.float32)
    made = streams(own, x, False, collate, (1, 2))[loader]
    return _loop("", "f()", SAMPLES, {"f": partial(drain, made)})


def main() -> None:
    """Say whether the GIL is on, and answer each line with what all threads did, and when."""
    gc.disable()
    ffi_cookbook.available()
    print(json.dumps(getattr(sys, "_is_gil_enabled", lambda: True)()), flush=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for line in sys.stdin:
            place, what, threads, start, end = json.loads(line)
            run = (calls if what in CASES else passes)(place, what)
            done, first, last = zip(*pool.map(run, [start] * threads, [end] * threads), strict=True)
            print(json.dumps([sum(done), min(first), max(last)]), flush=True)
