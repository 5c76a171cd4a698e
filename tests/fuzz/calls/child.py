"""Run cases with one binding, in a process of its own.

`python -P -m fuzz.calls.child BINDING --seed S --case N [--mask M]` prints one case and how
it ended. The parent gives `--shared FILE --first N --count N` instead: the number of the running
case stands at the start of the file, and a row for each case follows.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import resource
import sys
import time
import warnings
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from .case import Case
from .grammar import FUNCTIONS
from .kinds import KINDS
from .memory import Memory
from .statuses import DONE, HEADER, ROW, STATUSES
from .verdict import Verdict, run
from .writer import Writer

PARTS = ("matmul", "index_records", "decode_fixed", "decode_examples", "Tokenizer", "patterns")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("binding")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int)
    parser.add_argument("--mask", type=int, default=7)
    parser.add_argument("--shared")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--functions", default="")
    parser.add_argument("--writer", action="store_true", help="a thread changes the arguments")
    parser.add_argument("--limit", type=int, default=1500, help="MiB of memory to grow by; 0: any")
    options = parser.parse_args()

    warnings.simplefilter("ignore")
    sys.setrecursionlimit(400)
    name = options.binding
    if name.startswith("planted."):
        backend: Any = getattr(importlib.import_module("fuzz.calls.planted"), name[8:])
    else:
        backend = importlib.import_module(f"ffi_cookbook.bindings.{name}")
    wanted = [
        f for f in FUNCTIONS if not options.functions or f.name in options.functions.split(",")
    ]
    unraisable: list[str] = []
    sys.unraisablehook = lambda args: unraisable.append(
        f"{args.exc_type.__name__}: {args.exc_value}"
    )
    if options.limit:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, [used + (options.limit << 20)] * 2)
    parts = {part for part in PARTS if hasattr(backend, part)}
    owner = (
        backend if "patterns" in parts else importlib.import_module("ffi_cookbook.bindings.python")
    )
    patterns = owner.patterns
    case = Case(Memory(), patterns, 100 if options.writer else 1)
    writer = Writer() if options.writer else None

    def one(number: int, mask: int) -> Verdict:
        case.draw(options.seed, number, mask, wanted, KINDS)
        if case.function.part not in parts:
            return Verdict("absent", "", "")
        case.subject = case.function.subject(backend, case)
        return run(case, unraisable, writer)

    if options.case is not None:
        case.draw(options.seed, options.case, options.mask, wanted, KINDS)
        print(case, flush=True)
        print(*one(options.case, options.mask), sep=" | ")
        return
    shared = np.memmap(options.shared, np.uint8, "r+")
    progress, rows = shared[:HEADER].view(np.int64), shared[HEADER:].view(ROW)
    gc.disable()
    gc.freeze()
    begun = time.process_time()
    for number in range(options.first, options.first + options.count):
        progress[0] = number
        verdict = one(number, 7)
        text = hash(verdict.text) & (2**64 - 1)
        rows[number] = (
            STATUSES.index(verdict.status),
            case.lies or case.idiomatic,
            case.n_corruptions,
            0,
            crc32(verdict.trace.encode()),
            text,
        )
        if number % 200 == 0:
            gc.collect()
            progress[1] += int(1e6 * (time.process_time() - begun))
            begun = time.process_time()
    progress[1] += int(1e6 * (time.process_time() - begun))
    progress[0] = DONE


if __name__ == "__main__":
    main()
