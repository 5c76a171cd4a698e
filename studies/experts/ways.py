"""Ways to do the same, timed in turn in one process, and compared round by round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.core.bootstrap import quiet
from benchmarks.core.pages import table
from studies.experts.common import CASES, SOURCES
from studies.extensions import build
from studies.figures import against, digits, interval
from studies.statements import samples
from studies.study import Setting


class Way(NamedTuple):
    """One way: what is built, and the statements that name its module `m`."""

    tool: str
    source: str
    load: str


class Case(NamedTuple):
    """One call: what makes its operands, and what must be true before it is timed."""

    function: str
    statement: str = "f(x)"
    operands: str = ""
    right: str = "True"


class Ways(NamedTuple):
    """One question: the first way is the one that the others are compared with."""

    title: str
    ways: Mapping[str, Way]
    cases: Mapping[str, Case]

    def measure(self, setting: Setting) -> Any:
        """Return the seconds of every way, by case and round."""
        folder = setting.folder / next(iter(self.ways.values())).source
        built: dict[str, Path] = {}
        for name, way in self.ways.items():
            same = [path for path in built.values() if path.stem == Path(way.source).stem]
            make = partial(build, way.tool, SOURCES / way.source, folder)
            built |= {name: same[0]} if same else setting.load(name, make)
        found = {}
        for title, (function, statement, operands, right) in self.cases.items():
            check = f"if not ({right}):\n    raise ImportError('{function} is wrong')"
            cells = {
                name: (
                    "\n".join(
                        [operands, way.load.format(path=str(path)), f"f = m.{function}", check]
                    ),
                    statement,
                )
                for name, path in built.items()
                for way in [self.ways[name]]
            }
            path = [str(folder), str(SOURCES)]
            found[title] = samples(cells, folder, setting.rounds, path)
        return found

    def show(self, found: Mapping[str, Mapping[str, list[float]]], _: Sequence[str]) -> str:
        """Return a table: nanoseconds, and the ratio to the first way with its quartiles."""
        first, *_ = self.ways
        rows = [
            [name, *(_cell(taken, name, first) for taken in found.values())]
            for name in next(iter(found.values()))
        ]
        return table([f"× {first}", *found], rows)


def _cell(taken: Mapping[str, list[float]], name: str, first: str) -> str:
    ns = f"{digits(1e9 * quiet([taken[name]])[0])} ns"
    return ns if name == first else f"{interval(against(taken, name, first), ' ×')}, {ns}"


CALLS = {
    "no argument": Case(*CASES["no argument"], right="f() is None"),
    "two ints": Case(*CASES["two ints"], right="f(3000, 4000) == 7000"),
    "a str of 11": Case(*CASES["a str of 11"], right="f('hello world') == 11"),
    "8 doubles": Case("total", "f(x)", "import numpy\nx = numpy.arange(8.0)", "f(x) == 28"),
    "an error": Case(*CASES["an error"]),
}
TVM_FFI = Way("tvm_ffi", "calls_tvm.cpp", "import tvm_ffi\nm = tvm_ffi.load_module({path!r})")
TVM = Ways(
    "What does a call through tvm-ffi cost?",
    {
        "C API": Way("capi", "calls_capi.c", "import calls_capi as m"),
        "nanobind": Way("nanobind", "calls_nanobind.cpp", "import calls_nanobind as m"),
        "tvm-ffi": TVM_FFI,
    },
    CALLS,
)
MAP = Ways(
    "Who makes a new array of doubled items: Cython, numba or a ufunc in C?",
    {
        "Cython": Way("cython", "map_cython.pyx", "import map_cython as m"),
        "`numba.njit`": Way("numba", "map_numba.py", "import map_numba as m"),
        "a ufunc in C": Way("capi", "map_ufunc.c", "import map_ufunc as m"),
    },
    {
        f"{n:,} items": Case(
            "doubled",
            operands=f"import numpy\nx = numpy.arange({n}.0)",
            right="(f(x) == 2 * x).all()",
        )
        for n in (8, 1000, 100_000)
    },
)
TENSOR = """\
import torch
x = torch.arange(8, dtype=torch.float64)
def refuses(f, x):
    try:
        f(x)
    except (TypeError, RuntimeError):
        return True
"""
TORCH = Ways(
    "Six ways into PyTorch",
    {
        "`TORCH_LIBRARY`": Way(
            "torch", "torch_headers.cpp", "import torch_headers\nm = torch.ops.headers"
        ),
        "`TORCH_LIBRARY`, stable ABI": Way(
            "torch", "torch_stable.cpp", "torch.ops.load_library({path!r})\nm = torch.ops.stable"
        ),
        "`torch.library.custom_op`": Way("torch", "torch_custom.py", "import torch_custom as m"),
        "`torch/extension.h`, pybind11": Way(
            "torch", "torch_headers.cpp", "import torch_headers as m"
        ),
        "tvm-ffi": TVM_FFI,
        "DLPack's C exchange API": Way("tvm_ffi", "torch_dlpack.c", "import torch_dlpack as m"),
    },
    {
        "8 doubles, torch.Tensor": Case(
            "total", operands=TENSOR, right="f(x) == 28 and refuses(f, x.float())"
        ),
    },
)
