"""Answer what experts ask: what the options of a tool cost, and how a tool scales."""

from __future__ import annotations

from studies.experts.columns import COLUMNS
from studies.experts.ways import MAP, TORCH, TVM
from studies.study import Part, Study

STUDY = Study(
    name="experts",
    question="What do the options of the tools cost?",
    page="experts",
    parts={
        **COLUMNS,
        **{
            name: Part(ways.title, ways.measure, ways.show, 30)
            for name, ways in {"map": MAP, "tvm": TVM, "torch": TORCH}.items()
        },
    },
    backends=("capi", "ctypes", "cffi", "cython", "pybind11", "nanobind", "pyo3", "torch"),
    packages=("Cython", "pybind11", "nanobind"),
)
