"""Matmul: the steps towards the speed of the machine, and the distance that remains.

Samples at the same place in two lists were measured within the same seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.core import machine
from benchmarks.core.clock import Timed, interleaved
from benchmarks.core.figures import against, interval
from benchmarks.studies.matmul import ladder, large, threads, warm
from benchmarks.studies.matmul.rates import LABELS, NUMPY, TORCH, C, operands
from benchmarks.study import Part, Result, Setting, Stored, Study

CALL_BAR = 6.5
CALL = "8×8 through the C API, with `out`"


def call(setting: Setting) -> Result:
    """Return the seconds of a call for 8x8, by our kernel and by NumPy."""
    a, b, out = operands(8, "float32")
    functions = {LABELS[name]: backend.matmul for name, backend in setting.backends.items()}
    timed = {
        name: Timed("f(a, b, out=out)", {"f": function, "a": a, "b": b, "out": out})
        for name, function in {**functions, NUMPY: np.matmul}.items()
    }
    return interleaved(timed, setting.rounds, 2e-3)


def show_call(found: Result, _: list[str]) -> str:
    """Return the sentence about small products."""
    ours, numpy = (interval(found[name], " ns", 1e9) for name in (C, NUMPY))
    return (
        f"**{CALL}**: {ours}; `np.matmul` takes {numpy}, "
        f"{interval(against(found, NUMPY, C), ' ×')} as long. Goal: {CALL_BAR} ×."
    )


def _marks(stored: Mapping[str, Stored]) -> dict[str, str]:
    """Return the sentence below each step."""
    found: dict[str, Any] = stored["steps"]["found"]
    return {name: ladder.sentence(found, name) for name in ladder.names(found)}


def _versions() -> dict[str, str]:
    return {"cc": machine.compiler()}


STUDY = Study(
    name="matmul",
    question="What does each idea bring to matmul, and how near does it get to the limit?",
    page="ladder",
    parts={
        "steps": Part("every step, in turn, beside the peak", ladder.measure, ladder.show, 9),
        "large": Part("products limited by the multipliers", large.measure, large.show, 9),
        "alone": Part("the kernel alone and warm", warm.measure, warm.show, 25),
        "call": Part(CALL, call, show_call, 25),
        "threads": Part("two threads as a multiple of one", threads.measure, threads.show, 5),
    },
    backends=tuple(LABELS),
    libraries=(NUMPY, TORCH, large.BEST),
    versions=_versions,
    marks=_marks,
)
main = STUDY.main
