"""The speed of calls and of loaders on several threads, with and without the GIL."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import compress, product
from statistics import median
from subprocess import PIPE, Popen
from time import perf_counter
from typing import Any

from benchmarks import ROOT
from benchmarks.core.machine import cores
from benchmarks.core.pages import table
from benchmarks.core.process import INHERITED, SINGLE
from studies.figures import ABSENT, against, digits, interval
from studies.records import loaders
from studies.study import Part, Result, Setting, Study
from studies.threads.worker import CASES

LEAD, SLICE, LOADING_SLICE = 2e-3, 0.02, 0.05  # seconds
OFF, FEWEST = 0.2, 6
"""How far n processes may be from n times the work of one, and the rounds that must hold it."""
COUNTS = [2**i for i in range(1, 10) if 2**i <= cores()]
MAIN = "from studies.threads.worker import main; main()"
BESIDE = f"{loaders.STREAM}, in 2 processes"
LOADERS = [loaders.STREAM, "stream, 2 threads"]
LOADERS += [f"dataset in a DataLoader, workers: {n}" for n in (1, 2)]
Rates = Mapping[str, list[float]]


@contextmanager
def workers(setting: Setting, n: int) -> Iterator[dict[str, list[Any]]]:
    """Start n workers in each Python whose environment nox has made for the tests.

    A Python whose worker does not start, or has the wrong GIL, is noted as absent.
    """
    with ExitStack() as stack:
        started = {}
        for path in sorted(ROOT.glob(".nox/tests-3-*/bin/python")):
            name = path.parts[-3].removeprefix("tests-").replace("-", ".")
            gil = {} if (has := not name.endswith("t")) else {"PYTHON_GIL": "0"}
            make = partial(Popen, [path, "-c", MAIN], cwd=ROOT, text=True)
            env = {**INHERITED, **SINGLE, **gil}
            made = [stack.enter_context(make(stdin=PIPE, stdout=PIPE, env=env)) for _ in range(n)]
            if [one.stdout.readline() for one in made] == [f"{json.dumps(has)}\n"] * n:
                started[name] = made
            else:
                setting.absent[f"Python {name}"] = "its worker did not start, or has another GIL"
        yield started


def rate(some: Sequence[Any], place: str, what: str, threads: int, seconds: float) -> float:
    """Return the work a second of workers that start at the same moment."""
    start = perf_counter() + LEAD
    for one in some:
        print(
            json.dumps([place, what, threads, start, start + seconds]), file=one.stdin, flush=True
        )
    lines = [one.stdout.readline() for one in some]
    if "" in lines:
        raise RuntimeError(f"a worker ended: {place}, {what}, threads: {threads}")
    done, first, last = zip(*map(json.loads, lines), strict=True)
    return sum(done) / (max(last) - min(first))


def in_turn(rounds: int, contenders: Mapping[str, Callable[[], float]]) -> Rates:
    """Return the rates of all contenders, round by round, after one that does not count."""
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds + 1):
        for name in random.sample([*contenders], len(contenders)):
            found[name].append(contenders[name]())
    return {name: rates[1:] for name, rates in found.items()}


def kept(rates: Rates, one: str, processes: str, n: int) -> Rates:
    """Return the rounds in which n processes did about n times the work of one, or none."""
    good = [abs(ratio / n - 1) < OFF for ratio in against(rates, processes, one) or []]
    good = good if sum(good) >= FEWEST else []
    return {name: [*compress(some, good)] for name, some in rates.items()}


def measure_calls(setting: Setting) -> Result:
    """Return the calls a second, by call, Python, and number of threads or processes."""
    kinds = {"1": (1, 1)}
    for n in COUNTS:
        kinds |= {f"{n}": (1, n), f"{n} processes": (n, 1)}
    found = {}
    with workers(setting, max(COUNTS, default=1)) as started:
        for name, case in product(setting.backends, CASES):
            contenders = {
                f"{python}, {kind}": partial(rate, some[:n], name, case, threads, SLICE)
                for python, some in started.items()
                for kind, (n, threads) in kinds.items()
            }
            found[f"{name} {case}"] = in_turn(setting.rounds, contenders)
        return {"pythons": [*started], "counts": COUNTS, "calls": found}


def show_calls(found: Result, names: list[str]) -> str:
    """Return tables for each Python without the GIL, and a sentence for each Python."""
    parts = []
    for python, n in product(found["pythons"], found["counts"]):
        one, many, processes = (f"{python}, {kind}" for kind in ("1", n, f"{n} processes"))
        gil = python.rstrip("t")
        good = {call: kept(some, one, processes, n) for call, some in found["calls"].items()}
        compared = {
            f"{n} threads : 1 thread": (many, one),
            f"{n} threads : {n} processes": (many, processes),
            "1 thread : 1 with the GIL": (one, f"{gil}, 1"),
            f"{n} threads : {n} with the GIL": (many, f"{gil}, {n}"),
        }
        for title, pair in compared.items() if python != gil else ():
            rows = [
                [name, *(interval(against(good[f"{name} {case}"], *pair)) for case in CASES)]
                for name in names
            ]
            parts.append(table([f"{python}, {title}", *CASES], rows))
        threads, beside = (_range(good, kind, one) for kind in (many, processes))
        said = f"{n} threads {threads}, {n} processes {beside}"
        parts.append(f"Python {python}, relative to 1 thread: {said}.")
    return "\n\n".join(parts)


def _range(calls: Mapping[str, Rates], kind: str, one: str) -> str:
    middles = [median(some) for rates in calls.values() if (some := against(rates, kind, one))]
    return f"{digits(min(middles))}–{digits(max(middles))} ×" if middles else ABSENT


def measure_loading(setting: Setting) -> Result:
    """Return the samples a second, by Python and loader."""
    found = {}
    with workers(setting, 2) as started:
        for python, some in started.items():
            ask = partial(rate, place=f"{setting.folder}", threads=1, seconds=LOADING_SLICE)
            contenders = {name: partial(ask, some[:1], what=name) for name in LOADERS}
            contenders[BESIDE] = partial(ask, some, what=loaders.STREAM)
            found[python] = in_turn(setting.rounds, contenders)
    return found


def show_loading(found: Result, names: list[str]) -> str:
    """Return the table of the speeds as multiples of the stream's."""
    good = {python: kept(rates, loaders.STREAM, BESIDE, 2) for python, rates in found.items()}
    return loaders.show({"cases": good}, names)


STUDY = Study(
    name="threads",
    question="What do calls and loaders gain on several threads?",
    page="threads",
    parts={
        "calls": Part("calls on threads and in processes", measure_calls, show_calls, 12),
        "loading": Part("loaders with Python code", measure_loading, show_loading, 12),
    },
    backends=("capi", "ctypes", "cffi", "cython", "pybind11", "nanobind", "pyo3"),
    packages=("cffi", "torch"),
)
