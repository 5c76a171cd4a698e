"""Matmul: the steps towards the speed of the machine, and the distance that remains.

Samples at the same place in two lists were measured within the same seconds.
"""

from __future__ import annotations

import subprocess

from benchmarks.core import native
from studies.matmul import ladder
from studies.matmul.rates import LABELS, NUMPY, TORCH
from studies.study import Part, Study


def _versions() -> dict[str, str]:
    said = subprocess.run([native.compiler(), "--version"], capture_output=True, text=True)
    return {"cc": said.stdout.partition("\n")[0].partition(" ")[2]}


STUDY = Study(
    name="matmul",
    question="What does each idea bring to matmul, and how near does it get to the limit?",
    page="ladder",
    parts={
        "steps": Part("every step, in turn, beside the peak", ladder.measure, ladder.show, 9),
    },
    backends=tuple(LABELS),
    libraries=(NUMPY, TORCH),
    versions=_versions,
)
