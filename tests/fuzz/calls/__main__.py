"""Fuzz the arguments: `python -P -m fuzz.calls --calls N --only capi,pyo3 --seed S`.

PYTHONPATH must name the folder tests.
"""

from __future__ import annotations

import argparse
import sys

import ffi_cookbook

from .parent import Run, all_cases
from .report import report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1_000_000, help="the calls of each binding")
    parser.add_argument("--only", default="", help="bindings, separated by commas")
    parser.add_argument("--functions", default="", help="functions, separated by commas")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--limit", type=int, default=1500, help="MiB that a child may grow by")
    parser.add_argument("--hang", type=float, default=20.0, help="seconds that a call may take")
    parser.add_argument("--python", default=sys.executable, help="the interpreter of the children")
    parser.add_argument("--writer", action="store_true", help="a thread changes the arguments")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else ffi_cookbook.names()
    for name, backend in ffi_cookbook.available().items():
        if name in names and isinstance(backend, ffi_cookbook.BackendUnavailable):
            print(f"absent: {name} ({backend.reason})")
            names = [other for other in names if other != name]
    more = [f"--limit={options.limit}", *(["--writer"] if options.writer else [])]
    run = Run(options.seed, options.functions, options.hang, more, options.python)
    rows = all_cases(run, names, options.first, options.calls)
    return 1 if report(run, rows, options.first) else 0


if __name__ == "__main__":
    sys.exit(main())
