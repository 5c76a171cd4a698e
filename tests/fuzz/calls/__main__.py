"""Fuzz the arguments: `python -P -m fuzz.calls --calls N --only capi,pyo3 --seed S`.

PYTHONPATH must name the folder tests.
"""

from __future__ import annotations

import argparse

import ffi_cookbook

from .search import children, search

ROUND = 5000  # cases; Hypothesis remembers those of a round


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=100_000, help="the calls of each binding")
    parser.add_argument("--only", default="", help="bindings, separated by commas")
    parser.add_argument("--functions", default="", help="functions, separated by commas")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=1500, help="MiB that a child may grow by")
    parser.add_argument("--writer", action="store_true", help="a thread changes the arguments")
    options = parser.parse_args()
    names = options.only.split(",") if options.only else ffi_cookbook.names()
    for name, backend in ffi_cookbook.available().items():
        if name in names and isinstance(backend, ffi_cookbook.BackendUnavailable):
            print(f"absent: {name} ({backend.reason})")
            names = [other for other in names if other != name]
    more = [f"--limit={options.limit}", *(["--writer"] if options.writer else [])]
    functions = options.functions.split(",") if options.functions else ()
    with children(names, more) as running:
        for done in range(0, options.calls, ROUND):
            n = min(ROUND, options.calls - done)
            search(running, n, options.seed * 1_000_003 + done, functions)
            print(f"{done + n} calls of {', '.join(names)}", flush=True)


if __name__ == "__main__":
    main()
