"""Matmul: the steps towards the speed of the machine, and the distance that remains.

Samples at the same place in two lists were measured within the same seconds.
"""

from __future__ import annotations

from benchmarks.core import machine
from studies.matmul import ladder, large
from studies.matmul.rates import LABELS, NUMPY, TORCH
from studies.study import Part, Study


def _versions() -> dict[str, str]:
    return {"cc": machine.compiler()}


STUDY = Study(
    name="matmul",
    question="What does each idea bring to matmul, and how near does it get to the limit?",
    page="ladder",
    parts={
        "steps": Part("every step, in turn, beside the peak", ladder.measure, ladder.show, 9),
        "large": Part("products limited by the multipliers", large.measure, large.show, 9),
    },
    backends=tuple(LABELS),
    libraries=(NUMPY, TORCH),
    versions=_versions,
)
