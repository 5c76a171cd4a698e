"""Statements timed or counted in a process of its own.

Run as a script in a folder with job.json.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

Cells = Mapping[str, tuple[str, str]]
"""By name a setup and a statement, of which the statement is timed."""
NOTHING = "nothing"
SLICE = 2e-3  # seconds


class Cost(NamedTuple):
    """The cost of a statement above `pass` in the same loop."""

    ns: float
    instructions: float | None = None


def costs(
    cells: Cells,
    folder: Path,
    rounds: int = 15,
    path: Sequence[Path] = (),
    counted: bool = True,
) -> dict[str, Cost]:
    """Return the cost of each statement: the lowest of all rounds, and callgrind's count.

    Raises:
        ImportError: a setup or a statement raised.
    """
    from benchmarks.core.bootstrap import quiet
    from benchmarks.ledger.instructions.counting import available, count_statements

    every, places = {NOTHING: ("", "pass"), **cells}, [str(folder), *map(str, path)]
    found = samples(every, folder, rounds, places)
    times = {name: quiet([taken])[0] for name, taken in found.items()}
    counts = {} if not counted or available() else count_statements(every, folder, places)
    return {name: Cost(1e9 * (times[name] - times[NOTHING]), counts.get(name)) for name in cells}


def samples(
    cells: Cells, folder: Path, rounds: int, path: Sequence[str] = ()
) -> dict[str, list[float]]:
    """Return the seconds of each statement, round by round, in a process of their own.

    Raises:
        ImportError: a setup or a statement raised.
    """
    work = Path(mkdtemp(dir=folder))
    job = {"path": path, "cells": cells, "rounds": rounds}
    (work / "job.json").write_text(json.dumps(job))
    done = subprocess.run(
        [sys.executable, str(Path(__file__))], cwd=work, capture_output=True, text=True
    )
    if done.returncode:
        raise ImportError(done.stderr.strip().splitlines()[-1])
    found: dict[str, list[float]] = json.loads(done.stdout)[""]
    return found


def prepared(cells: Cells) -> dict[str, Any]:
    """Return the statements with the names that their setups made."""
    from benchmarks.core.clock import Timed

    found = {}
    for name, (setup, statement) in cells.items():
        names: dict[str, Any] = {}
        exec(setup, names)
        names.pop("__builtins__", None)
        found[name] = Timed(statement, names)
    return found


def main() -> None:
    """Time the statements of a job."""
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    from benchmarks.core.clock import spread

    job = json.loads(Path("job.json").read_text())
    sys.path[:0] = job["path"]
    print(json.dumps(spread({"": prepared(job["cells"])}, job["rounds"], SLICE, random.Random(1))))


if __name__ == "__main__":
    main()
