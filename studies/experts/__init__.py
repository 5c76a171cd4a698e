"""Answer what experts ask: what the options of a tool cost, and how a tool scales."""

from __future__ import annotations

from studies.experts import (
    argtypes,
    arrays,
    binding,
    exceptions,
    stable,
)
from studies.experts.ways import MAP, TORCH, TVM
from studies.study import Part, Study

MODULES = {
    "stable": (stable, 15),
    "binding": (binding, 15),
    "arrays": (arrays, 15),
    "argtypes": (argtypes, 15),
    "exceptions": (exceptions, 9),
}
"""By part, its question and rounds."""


def versions() -> dict[str, str]:
    """Return the versions of the tools that build the modules."""
    import Cython
    import nanobind
    import pybind11

    modules = {"Cython": Cython, "pybind11": pybind11, "nanobind": nanobind}
    return {name: module.__version__ for name, module in modules.items()}


STUDY = Study(
    name="experts",
    question="What do the options of the tools cost?",
    page="experts",
    parts={
        **{
            name: Part((module.__doc__ or "").strip(), module.measure, module.show, rounds)
            for name, (module, rounds) in MODULES.items()
        },
        **{
            name: Part(ways.title, ways.measure, ways.show, 30)
            for name, ways in {"map": MAP, "tvm": TVM, "torch": TORCH}.items()
        },
    },
    backends=("capi", "ctypes", "cffi", "cython", "pybind11", "nanobind", "pyo3", "torch"),
    versions=versions,
)
