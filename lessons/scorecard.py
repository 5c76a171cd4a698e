"""The costs of a right solution, beside ours: time, memory, crossings of the boundary, the GIL.

The checker times the calls from its own process, alternating between the learner's code and ours.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .box import values
from .building import build
from .cases import Case, Draw, Raises
from .catalogue import Exercise
from .explaining import explain
from .modes import box, place
from .process import Child, Died, Limits

ROUNDS = 5
SECONDS = 0.05
MOST_CALLS = 1 << 17
NAMES = ("bytes", "crossings", "gil")


@dataclass(frozen=True)
class Cost:
    """The costs of one call of the case."""

    nanoseconds: float
    bytes: float
    """The memory that the call allocates at most, as tracemalloc counts it."""
    crossings: float
    """The calls of native functions."""
    gil: float
    """The share of the time in which no other thread could run."""


@dataclass(frozen=True)
class Scorecard:
    """The costs of a learner's solution and of ours for one case."""

    case: str
    yours: Cost
    ours: Cost


def scorecard(exercise: Exercise, path: Path, seed: int) -> Scorecard | None:
    """Return the costs of a file that has passed, or None if no case returns a value.

    Raises:
        ValueError: A process that was measured has died, or has not answered as before.
    """
    cases = [
        case
        for case in exercise.check().cases(Draw(seed))
        if not isinstance(case.gives, Raises) and case.repeat and not case.name.startswith(".")
    ]
    if not cases:
        return None
    case = max(cases, key=lambda case: (case.timed, len(repr(case.arguments))))
    try:
        return _measured(exercise, path, case)
    except Died as died:
        reason = explain(died, path.name, path.parent, -1).message
    except (ImportError, LookupError, TypeError, OverflowError) as error:
        reason = f"{type(error).__name__}: {error}"
    raise ValueError(f"the scorecard could not be made: {case}: {reason}")


def _measured(exercise: Exercise, path: Path, case: Case) -> Scorecard:
    with ExitStack() as stack:
        children = []
        for text in (path.read_bytes(), exercise.solution.encode()):
            own = Path(stack.enter_context(TemporaryDirectory())) / exercise.file
            own.write_bytes(text)
            built = build(exercise.kind, own, exercise.given, False)
            folder = stack.enter_context(box(exercise, built))
            child = stack.enter_context(Child(place(exercise, folder, Limits(seconds=60))))
            child.start()
            children.append(child)
        times = _calls(children[1], case)
        spent: list[list[float]] = [[], []]
        empty: list[list[float]] = [[], []]
        for _ in range(ROUNDS):
            for i, child in enumerate(children):
                spent[i].append(_time(child, case, times))
                empty[i].append(_time(child, case, 0))
        yours, ours = (
            _cost(child, case, (min(spent[i]) - min(empty[i])) / times)
            for i, child in enumerate(children)
        )
    return Scorecard(str(case), yours, ours)


def _request(case: Case, **more: Any) -> dict[str, Any]:
    arguments = values.encode(list(case.arguments))
    return {"call": case.name, "driver": case.driver, "arguments": arguments, **more}


def _time(child: Child, case: Case, times: int) -> float:
    request = _request(case, times=times)
    start = time.perf_counter()
    child.ask(request)
    return time.perf_counter() - start


def _calls(child: Child, case: Case) -> int:
    """Return the number of calls that take long enough to be measured."""
    times = 1
    while times < MOST_CALLS and _time(child, case, times) < SECONDS:
        times *= 2
    return times


def _cost(child: Child, case: Case, seconds: float) -> Cost:
    score = child.ask(_request(case, score=True))["score"]
    return Cost(max(0.0, seconds * 1e9), *(float(score[name]) for name in NAMES))
