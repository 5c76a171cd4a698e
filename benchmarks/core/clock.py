"""Timing: each contender in a loop of its own, all of them in turn, in a new order every round.

The loop is made from source, once for each contender: the calls follow each other in the source, so
that the loop itself costs nothing, and the interpreter specialises each call for the one function
that it ever calls.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Mapping, Sequence
from math import factorial
from textwrap import indent
from time import perf_counter_ns, process_time_ns
from typing import Any, NamedTuple, TypeVar

SHORT = 20e-6  # a call below this is written out `UNROLLED` times
LONG = 10e-3
UNROLLED = 50
Name = TypeVar("Name", str, tuple[str, str])


class Timed(NamedTuple):
    """A statement and the objects it names."""

    statement: str
    names: Mapping[str, Any]


class Loop:
    """A statement, to be run often enough to last `slice_s` seconds."""

    clock: Callable[[], int] = staticmethod(perf_counter_ns)

    def __init__(self, timed: Timed, slice_s: float) -> None:
        once = compiled(timed, 1, self.clock)
        once(1)  # the first call also makes everything that is made only once
        first = once(1)
        if first < LONG:  # this one may be short, and interrupted
            first = min(first, once(1), once(1))
        self._unrolled = UNROLLED if first < SHORT else 1
        self._run = compiled(timed, self._unrolled, self.clock)
        self._count = 1
        while (took := self._run(self._count) * self._unrolled * self._count) < slice_s / 2:
            self._count *= max(2, min(10, int(slice_s / max(took, 1e-9))))

    def seconds(self) -> float:
        """Return the time of one statement, over one slice."""
        return self._run(self._count)


class ProcessorLoop(Loop):
    """A loop timed by the processor's time, which stands still while others have the processor."""

    clock = staticmethod(process_time_ns)


def spread(
    groups: Mapping[str, Mapping[Name, Timed]],
    rounds: int,
    slice_s: float,
    order: random.Random | None = None,
    loop: type[Loop] = Loop,
) -> dict[str, dict[Name, list[float]]]:
    """Return each contender's seconds per statement, round by round, without garbage collection.

    A round takes one sample of every contender of every group, in a new order. So a machine whose
    speed changes from one second to the next disturbs some rounds of every group, and not all
    rounds of some groups.
    """
    draw = order or random.Random()
    gc.disable()
    try:
        loops = {
            group: {name: loop(timed, slice_s) for name, timed in contenders.items()}
            for group, contenders in groups.items()
        }
        times: dict[str, dict[Name, list[float]]] = {
            group: {name: [] for name in contenders} for group, contenders in groups.items()
        }
        turns = []
        for _ in range(rounds):
            turn = [
                (group, name)
                for group in draw.sample([*loops], len(loops))
                for name in draw.sample([*loops[group]], len(loops[group]))
            ]
            turns.append(turn)
            for group, name in turn:
                times[group][name].append(loops[group][name].seconds())
        if gc.isenabled():
            raise RuntimeError("a call has switched the garbage collector on")
    finally:
        gc.enable()
    check_orders([[*dict.fromkeys(group for group, _ in turn)] for turn in turns])
    for group in groups:
        check_orders([[one for one in turn if one[0] == group] for turn in turns])
    return times


def check_orders(turns: Sequence[Sequence[object]]) -> None:
    """Raise RuntimeError if rounds that should have random orders all had the same one."""
    rounds, n = len(turns), len(turns[0])
    if factorial(n) ** (rounds - 1) > 10_000 and all(turn == turns[0] for turn in turns):
        raise RuntimeError(f"the order of {n} contenders or rows was the same in {rounds} rounds")


def compiled(
    timed: Timed, unrolled: int, clock: Callable[[], int] = perf_counter_ns
) -> Callable[[int], float]:
    """Return the loop over a statement, written out some times; it returns seconds a statement."""
    parameters = ", ".join(f"{name}={name}" for name in timed.names)
    body = indent(f"{timed.statement}\n" * unrolled, " " * 8)
    source = f"""\
def run(loops, {parameters}):
    start = clock()
    for _ in range(loops):
{body}
    return (clock() - start) / (loops * {unrolled}e9)
"""
    scope = {"clock": clock, **timed.names}
    exec(source, scope)
    run: Callable[[int], float] = scope["run"]
    return run
