"""The facts of a technology that no measurement changes: its language, its use, its limits."""

from __future__ import annotations

from typing import NamedTuple

CODE = {
    "C++": ("C++", ("nanobind", "pybind11", "cython")),
    "C": (
        "C, or any library with a C interface",
        ("cffi", "ctypes", "capi", "cython", "nanobind", "pybind11"),
    ),
    "Rust": ("Rust", ("pyo3",)),
    "Python": ("Python that should be faster", ("cython",)),
    "tensor": ("an operator on PyTorch's tensors", ("torch",)),
}
"""What a function is written in, by key: its name, and the tools for it, the most natural first."""
NEEDS = {
    "stable": "one wheel for all Python versions",
    "buildless": "nothing to compile",
    "interpreters": "subinterpreters",
    "held": "the GIL held in short calls",
}
"""What a project may need and some technology lacks, by key."""


class Technology(NamedTuple):
    """One technology."""

    written_in: str
    good_for: str
    lacks: dict[str, str]
    """By key of NEEDS, or "" for what no project asks for, why not."""


COMPILED = {"buildless": "needs a compiler for each platform"}
TECHNOLOGIES = {
    "capi": Technology(
        "C",
        "control of every detail, with no tool in between",
        {**COMPILED, "": "checks no reference count"},
    ),
    "cython": Technology(
        "Cython",
        "loops in Python that should run at C speed",
        {**COMPILED, "": "a language of its own"},
    ),
    "pyo3": Technology(
        "Rust",
        "native code that cannot corrupt memory, and cargo's packages",
        {**COMPILED, "interpreters": "refuses to be imported in a subinterpreter"},
    ),
    "nanobind": Technology(
        "C++",
        "C++ classes and functions, small and quick",
        {
            **COMPILED,
            "interpreters": "declares subinterpreters unsupported",
            "": "`abi3` from Python 3.12 on",
        },
    ),
    "pybind11": Technology(
        "C++",
        "C++ with inheritance, holders and embedding; most widely used",
        {**COMPILED, "stable": "no stable ABI: a wheel for each Python version"},
    ),
    "cffi": Technology(
        "Python, C declarations",
        "a C library with a header",
        {
            **COMPILED,
            "held": "releases the GIL in every call",
            "interpreters": "subinterpreters are not documented",
            "": "no classes: wrap them in Python",
        },
    ),
    "ctypes": Technology(
        "Python",
        "a C library, a few calls a second, nothing to build",
        {"": "a wrong `argtypes` crashes the process"},
    ),
    "torch": Technology(
        "C++",
        "autograd, `torch.compile`, devices",
        {
            **COMPILED,
            "held": "releases the GIL in every call",
            "interpreters": "subinterpreters are not documented",
            "": "tensors, numbers and text only",
        },
    ),
}
"""By binding."""
