"""Measure whether two threads make more short calls than one."""

from __future__ import annotations

import threading
import time
from typing import Any

from benchmarks.core import figures
from benchmarks.study import Setting

CALLS = 200_000
KINDS = {"held": "noop", "released": "noop_nogil"}
ONE, TWO = "1", "2"


def measure(setting: Setting) -> Any:
    """Return calls a second by binding, the GIL held and released, from one and two threads."""
    found: dict[str, dict[str, list[float]]] = {}
    for name, backend in setting.backends.items():
        for kind, function in KINDS.items():
            call = getattr(backend.patterns, function)
            for threads in (ONE, TWO):
                rates = [_rate(call, int(threads)) for _ in range(setting.rounds)]
                found.setdefault(name, {})[f"{kind} {threads}"] = rates
    return found


def _rate(call: Any, threads: int) -> float:
    """Return the calls a second of all threads together."""
    start = threading.Barrier(threads + 1)

    def work() -> None:
        start.wait()
        for _ in range(CALLS // threads):
            call()

    crew = [threading.Thread(target=work) for _ in range(threads)]
    for one in crew:
        one.start()
    start.wait()
    began = time.perf_counter()
    for one in crew:
        one.join()
    return CALLS / (time.perf_counter() - began)


def show(found: Any, backends: list[str]) -> str:
    """Return millions of calls a second, and say what a second thread brings."""
    best = {name: {key: max(rates) for key, rates in of.items()} for name, of in found.items()}
    said = []
    for kind in KINDS:
        ratios = [of[f"{kind} 2"] / of[f"{kind} 1"] for of in best.values()]
        said.append(f"{min(ratios):.2f} to {max(ratios):.2f} × with the GIL {kind}")
    keys = [f"{kind} {threads}" for kind in KINDS for threads in (ONE, TWO)]
    rows = [[name, *(f"{of[key] / 1e6:.1f}" for key in keys)] for name, of in best.items()]
    heads = [f"GIL {kind}, {n} thread{'s' * (n == TWO)}" for kind in KINDS for n in (ONE, TWO)]
    return (
        f"Two threads make, relative to one, {' and '.join(said)} around an empty function (in "
        f"millions of calls a second):\n\n{figures.table(['', *heads], rows)}"
    )
