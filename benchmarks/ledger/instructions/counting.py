"""Counting: the instructions of one call, by callgrind, which a busy machine does not disturb.

A count depends on the addresses of everything loaded. So addresses are not randomised, hashes are
not salted, and the environment is always the same.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.core import machine
from benchmarks.core.native import shared
from benchmarks.core.process import SINGLE, WorkerFailed
from benchmarks.ledger import empty
from benchmarks.ledger.instructions.counted import LONG, SHORT, UNROLLED
from benchmarks.ledger.rows import ALL

Cells = dict[str, dict[str, dict[str, float]]]
"""By row and contender: the `instructions` of a call above an empty one; `gross`, those of the
whole statement in its loop; and `scan`, the gross ones that scan strings in the C library."""

CALLS = (LONG - SHORT) * UNROLLED
HERE = Path(__file__).parent
TIMEOUT_S = 1800  # a busy machine takes longer, but counts the same
NOTHING = "nothing"
FIXED = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0", **SINGLE}
CALLGRIND = "--tool=callgrind -q --callgrind-out-file=out --vex-iropt-level=1 --instr-atstart=no"
DUMP = re.compile(r"^desc: Trigger: Client Request: (?P<name>.+)/(?P<loops>\d+)$", re.MULTILINE)
TOTAL = re.compile(r"^summary: (\d+)", re.MULTILINE)
FUNCTION = re.compile(r"^c?fn=(\(\d+\))(?: (.+))?$")
SCAN = re.compile(r"__(mem|str)\w*(cmp|chr|len)_(avx2|evex|sse)\w*")


@cache
def available() -> str | None:
    """Return the reason why nothing can be counted here, or None."""
    for program in ("valgrind", "cc"):
        if shutil.which(program) is None:
            return f"{program} not found"
    tried = ["cc", "-fsyntax-only", *_headers(), str(HERE / "marks.c")]
    if subprocess.run(tried, capture_output=True).returncode:
        return "valgrind/callgrind.h not found"
    return None


def _headers() -> tuple[str, str]:
    beside = Path(str(shutil.which("valgrind"))).resolve().parents[1] / "include"
    return "-idirafter", str(beside)


def instruments(folder: Path) -> None:
    """Compile the C files of this folder into libraries in a folder."""
    for source in ("marks.c", "arenas.c"):
        shared(HERE / source, folder, "-O2", *_headers())


@cache
def unshuffled() -> tuple[str, ...]:
    """Return the command that disables address randomisation, or nothing if that is not allowed."""
    if (program := shutil.which("setarch")) is None:
        return ()
    tried = subprocess.run([program, "-R", "true"], capture_output=True)
    return (program, "-R") if tried.returncode == 0 else ()


def count(
    backends: Sequence[str],
    rows: Sequence[str] | None,
    folder: Path,
    layout: int = 0,
    brief: bool = False,
) -> Cells:
    """Count the cells of these bindings, in as many processes at a time as there are cores.

    Each `layout` loads everything at other addresses. A brief count has no variants, and bindings
    share processes, whose imports take most of the time; it may differ by some instructions.
    """
    empty.build(folder)
    instruments(folder)

    def counted(names: list[str]) -> Cells:
        path = [os.path.abspath(entry) for entry in sys.path]
        job = {"backends": names, "rows": rows or list(ALL), "variants": not brief, "path": path}
        return net(_dumps(folder / f"{names[0]}-{layout}", {**job, "layout": layout}))

    chosen = [backend for backend in backends if backend != "numpy"]
    longest_first = sorted(chosen, key=lambda backend: backend != "torch")
    n = machine.cores() if brief else len(chosen)
    shares = [longest_first[i::n] for i in range(min(n, len(chosen)))]
    with ThreadPoolExecutor(machine.cores()) as pool:
        found = list(pool.map(counted, shares))
    return {
        row: {
            contender: counts
            for backend in chosen
            for cells in found
            for contender, counts in cells[row].items()
            if contender.partition(" ")[0] == backend
        }
        for row in found[0]
    }


def count_statements(
    cells: Mapping[str, Any], folder: Path, path: Sequence[str]
) -> dict[str, float]:
    """Return the instructions of statements with a setup each, above the one called `nothing`."""
    instruments(folder)
    work = folder / f"counted-{len(list(folder.glob('counted-*')))}"
    entries = [str(HERE.parents[2]), *path]
    found = net(_dumps(work, {"cells": cells, "layout": 0, "path": entries}))
    return {name: cell["instructions"] for name, cell in found.get("statements", {}).items()}


def net(dumps: Iterable[str]) -> Cells:
    """Return the cells of one process, from callgrind's output."""
    windows: dict[str, dict[int, tuple[int, ...]]] = defaultdict(dict)
    for text in dumps:
        if found := DUMP.search(text):
            total = TOTAL.search(text)
            assert total is not None
            counts = int(total[1]), scanning(text)
            windows[found["name"]][int(found["loops"])] = counts  # the last one counts
    gross: dict[str, dict[str, list[float]]] = defaultdict(dict)
    for name, by_loops in windows.items():
        row, _, contender = name.partition("/")
        more = zip(by_loops[LONG], by_loops[SHORT], strict=True)
        gross[row][contender] = [(long - short) / CALLS for long, short in more]
    return {row: _above_nothing(contenders) for row, contenders in gross.items()}


def _above_nothing(contenders: Mapping[str, list[float]]) -> dict[str, dict[str, float]]:
    return {
        contender: {
            "instructions": round(cost - contenders[NOTHING][0], 4),
            "gross": cost,
            "scan": scan,
        }
        for contender, (cost, scan) in contenders.items()
        if contender != NOTHING
    }


def scanning(dump: str) -> int:
    """Return the instructions of the C library's functions that compare and search strings.

    They depend on the address of a string: near the end of a page such a function reads carefully.
    """
    names: dict[str, str] = {}
    total, inside, of_a_call = 0, False, False
    for line in dump.splitlines():
        if found := FUNCTION.match(line):
            name = names.setdefault(found[1], found[2])
            inside = SCAN.fullmatch(name) is not None if line[0] == "f" else inside
        elif line.startswith("calls="):
            of_a_call = True
        elif line[:1] in tuple("+-*0123456789"):
            total += int(line.split()[1]) if inside and not of_a_call else 0
            of_a_call = False
    return total


def _dumps(folder: Path, job: Mapping[str, Any]) -> list[str]:
    folder.mkdir()
    (folder / "job.json").write_text(json.dumps(job))
    worker = (sys.executable, str(HERE / "counted.py"))
    callgrind = (str(shutil.which("valgrind")), *CALLGRIND.split())
    if not job["layout"]:
        _run(worker, folder)  # uncounted, to have all bytecode on disk
    _run((*unshuffled(), *callgrind, *worker), folder)
    dumps = sorted(folder.glob("out.*"), key=lambda path: int(path.suffix[1:]))
    return [dump.read_text() for dump in dumps]


def _run(command: Sequence[str], folder: Path) -> None:
    needed = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
    try:
        subprocess.run(
            command,
            cwd=folder,
            env={**FIXED, **needed, "LD_PRELOAD": str(folder.parent / "arenas.so")},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=True,
        )
    except subprocess.TimeoutExpired as late:
        raise WorkerFailed(f"counting {folder.name}: took more than {TIMEOUT_S} s") from late
    except subprocess.CalledProcessError as failed:
        last = (failed.stderr.strip() or f"exit code {failed.returncode}").splitlines()[-1]
        raise WorkerFailed(f"counting {folder.name}: {last}") from failed
