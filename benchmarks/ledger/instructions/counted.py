"""The program under callgrind: each cell's loop, warmed, then short and long.

Run in a folder that holds job.json, beside marks.so. An interpreter has specialised a loop after
its 8th run; if it cannot, it tries again at the 15th, and then at twice that number each time. A
cell is warmed past one such trial, and counted before the next. The long loop makes hundreds of
calls, so that a count is a mean and includes what only some calls cost.
"""

from __future__ import annotations

import ctypes
import gc
import json
import random
import sys
from collections.abc import Callable, Iterator
from itertools import repeat
from pathlib import Path
from textwrap import indent
from typing import Any

UNROLLED = 10
WARM = 33  # loops
SHORT, LONG = 1, 25
WINDOWS = (SHORT, SHORT, LONG)
"""The first one fills the simulated caches."""
SIZES = range(16, 513, 16)
EMPTY = sys.getsizeof(b"")
POOL = 16 * 1024


def statements(of: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Return the name and the timed statement of each cell that has a setup and a statement."""
    from studies.statements import prepared

    for name, timed in prepared(of).items():
        yield f"statements/{name}", timed


def cells(names: list[str], chosen: list[str], variants: bool) -> Iterator[tuple[str, Any]]:
    """Return the name and the timed statement of each cell, including the empty ones."""
    from benchmarks.ledger import empty
    from benchmarks.ledger.outside import load
    from benchmarks.ledger.rows import ALL, contenders

    empty.load(Path.cwd().parent)
    backends = {name: load(name) for name in names}
    for name in chosen:
        yield f"{name}/nothing", ALL[name].nothing()
        for backend, variant, patterns in contenders(backends, name):
            if variant and not variants:
                continue
            contender = f"{backend} {variant}" if variant else backend
            yield f"{name}/{contender}", ALL[name].timed(patterns, variant)


def loop(timed: Any) -> Callable[[int], None]:
    """Return the statement repeated as in clock.py, without an object that counts the loops."""
    parameters = ", ".join(f"{name}={name}" for name in timed.names)
    body = indent(f"{timed.statement}\n" * UNROLLED, " " * 8)
    source = f"def run(loops, {parameters}):\n    for _ in repeat(None, loops):\n{body}"
    scope = {"repeat": repeat, **timed.names}
    exec(source, scope)
    run: Callable[[int], None] = scope["run"]
    return run


def new(size: int) -> object:
    """Return an object of that size, from Python's own pools."""
    if size == 16:
        return object()
    return complex(size) if size == 32 else bytes(size - EMPTY)


def make_room(kept: list[object]) -> None:
    """Leave twelve free blocks of each size in the pool of the next object.

    If one is left, every call takes it, which closes the pool, and frees it, which opens the pool.
    """
    for size in SIZES:
        pools: set[int] = set()
        while len(pools) != 1:
            some = [new(size) for _ in range(24)]
            kept.append(some)
            pools = {id(each) // POOL for each in some}
        del some[::2]


def main() -> None:
    """Count all cells of a job."""
    job = json.loads(Path("job.json").read_text())
    random.seed(0)  # the operands are always the same
    shift = 7 * job["layout"]
    kept: list[object] = [bytearray(1000 * shift)]
    kept += [new(size) for size in SIZES for _ in range(shift)]
    sys.path[:1] = job["path"]
    counted = ctypes.PyDLL("../marks.so").counted
    counted.argtypes = (ctypes.py_object, ctypes.py_object, ctypes.c_char_p)
    counted.restype = ctypes.py_object
    chosen = (
        statements(job["cells"])
        if "cells" in job
        else cells(job["backends"], job["rows"], job["variants"])
    )
    loops = [(name, loop(timed)) for name, timed in chosen]
    for _, run in loops:
        run(1)  # objects that are made only once, such as an import
    gc.collect()
    gc.disable()
    for name, run in loops:
        run(WARM)
        make_room(kept)
        for count in WINDOWS:
            counted(run, count, f"{name}/{count}".encode())


if __name__ == "__main__":
    main()
