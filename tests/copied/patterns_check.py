"""Check the patterns of a package `patterns` that is on the path.

`check.py ROOT [junk] PATTERN:PAGE ...`: the examples come from the benchmark's rows. With `junk`,
arguments of every other kind must be refused. Nothing of the repository can be imported.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import patterns
import patterns.errors

REFUSALS = (TypeError, ValueError, OverflowError, BufferError, MemoryError)
JUNK = [
    None,
    "",
    "\ud800",
    b"x",
    -1,
    1.5,
    2**70,
    [],
    [None],
    {},
    {1: "a"},
    object(),
    len,
    "1",
    np.ones(3, np.float32),
    np.ones((2, 2))[:, 0],
    np.arange(3),
    np.array(["a"]),
    np.empty(0),
    np.arange(3.0)[::-1],
    memoryview(b"abc")[::2],
    np.frombuffer(bytes(17), "u1")[1:].view("f8"),
]


def rows(root: str) -> dict[str, Any]:
    """Return the benchmark's rows, which need `bindings` only for the class of an error."""
    names = ["ffi_cookbook", "ffi_cookbook.bindings"]
    sys.modules.update({name: ModuleType(name) for name in names})
    sys.modules["ffi_cookbook.bindings.errors"] = patterns.errors
    sys.path.append(root)
    found: dict[str, Any] = importlib.import_module("benchmarks.ledger.rows").ROWS
    sys.path.remove(root)
    for name in (*names, "ffi_cookbook.bindings.errors"):
        del sys.modules[name]
    return found


def space(name: str) -> Any:
    """Return the object with a pattern's functions: its module, or that of all patterns."""
    if hasattr(patterns, "_native") and not hasattr(patterns._native, "ffi"):
        return patterns._native
    return importlib.import_module(f"patterns.{name}")


def faults(name: str, page: str, row: Any, junk: bool) -> Iterator[str]:
    """Yield the faults of a pattern."""
    own = SimpleNamespace(**vars(space(page)))
    if wrong := row.wrong(own):
        yield wrong
    names = row.names(own)
    function = names.pop("f")
    values = [value for value in names.values() if not hasattr(value, "add")]
    for i in range(len(values)):
        for other in JUNK if junk else ():
            try:
                function(*values[:i], other, *values[i + 1 :])
            except REFUSALS:
                continue
            except Exception as error:
                if isinstance(row.answer, type(error)):
                    continue
                yield f"{name} raises {error!r} for {other!r}"


def main() -> None:
    """Print the faults, or `right`."""
    known = rows(sys.argv[1])
    found = []
    for argument in sys.argv[3:]:
        name, _, page = argument.partition(":")
        found += faults(name, page, known[name], sys.argv[2] == "junk")
    print("\n".join(found) or "right")


if __name__ == "__main__":
    main()
