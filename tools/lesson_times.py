"""Measure the time from a save to the verdict, and write it into docs/lessons.md.

    python tools/lesson_times.py [--rounds N] [--each N] [--only NAME...] [--write]

Each exercise is graded N times with our solution, which runs all cases in all modes. A new comment
is added to each text, so that it is compiled again; parts that are compiled once, such as
precompiled headers, exist before the first run. The table has a row for each kind of exercise.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import secrets
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ffi_cookbook_lessons.catalogue import Exercise, exercises
from ffi_cookbook_lessons.grading import grade

ROOT = Path(__file__).parents[1]

FIGURES = ROOT / "docs" / "lessons.json"
PAGE = ROOT / "docs" / "lessons.md"
BLOCK = re.compile(r"(?<=<!-- times: begin -->\n).*?(?=<!-- times: end -->)", re.DOTALL)
KINDS = {
    "ctypes and cffi's ABI mode": 1, "C API": 1, "C++": None, "Rust": None, "nanobind": 2,
    "Cython": 4, "cffi's API mode": 4, "pybind11": 8, "PyO3": 8, "torch": 8, "CUDA": None,
}  # fmt: skip
"""The kinds, each with the seconds that it may take."""
NAMES = {
    "python": "ctypes and cffi's ABI mode", "c_api": "C API", "cpp": "C++", "rust": "Rust",
    "nanobind": "nanobind", "cython": "Cython", "cffi_api": "cffi's API mode",
    "pybind11": "pybind11", "pyo3": "PyO3", "torch": "torch", "cuda": "CUDA",
}  # fmt: skip
COMMENTS = {".py": "#", ".pyx": "#"}


def kind(exercise: Exercise) -> str:
    """Return the row of an exercise."""
    return "torch" if "torch" in exercise.about.get("imports", ()) else NAMES[exercise.kind]


def processor() -> float:
    """Return the seconds of processor time that this process and its children have used."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def measured(exercise: Exercise, rounds: int) -> list[tuple[float, float]]:
    """Return the seconds and the processor seconds of each check."""
    found = []
    text = exercise.solution
    comment = COMMENTS.get(exercise.source.suffix, "//")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / exercise.file
        for _ in range(rounds):
            path.write_text(f"{text}\n{comment} {secrets.token_hex(8)}\n", "utf-8")
            start, before = time.perf_counter(), processor()
            verdict = grade(exercise, path)
            found.append((time.perf_counter() - start, processor() - before))
            if verdict.status != "pass":
                raise SystemExit(f"{exercise.name}: {verdict.finding}")
    return found


def table(figures: dict[str, Any]) -> str:
    """Return the table as Markdown, and how busy the machine was."""
    cores, load = figures["cores"], figures["load"]
    said = f"Measured on {cores} cores. The load average was {load:.1f}, including the checks"
    idle = load <= cores + 1
    lines = [said + ("." if idle else ": the machine was busy, so the times are too long."), ""]
    lines += ["| kind | checks | processor, median | median | 95th percentile | wanted |"]
    lines += ["|---|---:|---:|---:|---:|---:|"]
    for name, limit in KINDS.items():
        checks = figures["seconds"].get(name, [])
        if checks:
            walls, work = (sorted(column) for column in zip(*checks, strict=True))
            middle, high = len(checks) // 2, min(len(checks) - 1, int(0.95 * len(checks)))
            cells = f"{work[middle]:.1f} s | {walls[middle]:.1f} s | {walls[high]:.1f} s"
            wanted = f"< {limit} s" if limit else ""
            lines.append(f"| {name} | {len(checks)} | {cells} | {wanted} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print the table, and write it if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--each", type=int, default=99, help="the exercises of a kind, at most")
    parser.add_argument("--only", nargs="+", help="parts of the exercises' names")
    parser.add_argument("--write", action="store_true", help=f"write {FIGURES.name}, {PAGE.name}")
    options = parser.parse_args()
    names = options.only or [""]
    chosen = [each for each in exercises() if any(name in each.name for name in names)]
    if not chosen:
        parser.error(f"no exercise has {' or '.join(names)} in its name")
    measured_before = json.loads(FIGURES.read_text("utf-8")) if options.only else {}
    seconds: dict[str, list[Any]] = measured_before.get("seconds", {})
    seconds |= {kind(exercise): [] for exercise in chosen}
    loads = [os.getloadavg()[0]]
    for exercise in chosen:
        known = seconds[kind(exercise)]
        if len(known) >= options.each * options.rounds:
            continue
        grade(exercise, exercise.source)  # so that what is compiled once is there
        found = measured(exercise, options.rounds)
        known += [(round(wall, 2), round(used, 2)) for wall, used in found]
        loads.append(os.getloadavg()[0])
        walls = " ".join(f"{wall:.1f}" for wall, _ in found)
        work = min(used for _, used in found)
        print(f"{exercise.name:28} {walls}  processor {work:.1f}", file=sys.stderr, flush=True)
        figures = {
            "cores": os.cpu_count(),
            "load": max(round(sum(loads) / len(loads), 1), measured_before.get("load", 0)),
            "seconds": seconds,
        }
        if options.write:  # each time, so that a run may be ended early
            FIGURES.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
            PAGE.write_text(BLOCK.sub(table(figures), PAGE.read_text("utf-8")), "utf-8")
    print(table(figures))


if __name__ == "__main__":
    main()
