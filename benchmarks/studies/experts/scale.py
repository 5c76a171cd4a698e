"""Measure how build time, size and import time grow with the number of functions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.core import figures
from benchmarks.core.extensions import DEBUG, OPTIMISED, SUFFIXES, Options, build
from benchmarks.study import Setting

NUMBERS = (10, 100, 500)
BUILDS = {"debug": DEBUG, "optimised": OPTIMISED}
IMPORT = "import time; t = time.perf_counter_ns(); import many; print(time.perf_counter_ns() - t)"
C_TYPES = ("long", "int", "unsigned int", "double", "float")
RUST_TYPES = ("i64", "i32", "u32", "f64", "f32")
"""Of the three arguments of each function, so that 125 signatures differ."""
DEFINED = "static double f{i}({0} x, {1} y, {2} z) {{ return x * y + z + {i}; }}\n"
SHAPES: dict[str, tuple[str, str, str, str, str]] = {
    "capi": (
        "#include <Python.h>\n",
        "static PyObject *f{i}(PyObject *m, PyObject *const *a, Py_ssize_t n) {{\n"
        '  if (n != 3) {{ PyErr_SetString(PyExc_TypeError, "3 arguments"); return NULL; }}\n'
        "  {0} x = ({0}){3}(a[0]); {1} y = ({1}){4}(a[1]); {2} z = ({2}){5}(a[2]);\n"
        "  return PyErr_Occurred() ? NULL : PyFloat_FromDouble(x * y + z + {i}); }}\n",
        "static PyMethodDef methods[] = {\n",
        '  {{"f{i}", (PyCFunction)(void (*)(void))f{i}, METH_FASTCALL, NULL}},\n',
        "  {NULL, NULL, 0, NULL}};\nstatic struct PyModuleDef many = {PyModuleDef_HEAD_INIT, "
        '"many", NULL, 0, methods, NULL, NULL, NULL, NULL};\n'
        "PyMODINIT_FUNC PyInit_many(void) { return PyModuleDef_Init(&many); }\n",
    ),
    "cython": ("", "def f{i}({0} x, {1} y, {2} z):\n    return x * y + z + {i}\n\n", "", "", ""),
    "pybind11": (
        "#include <pybind11/pybind11.h>\n",
        DEFINED,
        "PYBIND11_MODULE(many, m) {\n",
        '  m.def("f{i}", f{i});\n',
        "}\n",
    ),
    "nanobind": (
        "#include <nanobind/nanobind.h>\n",
        DEFINED,
        "NB_MODULE(many, m) {\n",
        '  m.def("f{i}", f{i});\n',
        "}\n",
    ),
    "cffi": (
        "import sys\nfrom cffi import FFI\nffi = FFI()\nsource = declared = ''\n",
        "declared += 'double f{i}({0}, {1}, {2});'\nsource += '" + DEFINED.strip() + "'\n",
        "ffi.cdef(declared)\nffi.set_source('many', source)\nffi.emit_c_code(sys.argv[1])\n",
        "",
        "",
    ),
    "pyo3": (
        "use pyo3::prelude::*;\n#[pymodule]\nmod many {\n    use super::*;\n",
        "    #[pyfunction]\n    fn f{i}(x: {0}, y: {1}, z: {2}) -> f64 {{\n"
        "        x as f64 * y as f64 + z as f64 + {i} as f64\n    }}\n",
        "}\n",
        "",
        "",
    ),
}
"""By tool: the beginning of a file, what it has of each function, its middle, what it has of each
function there, and its end."""


def source(tool: str, n: int, folder: Path) -> Path:
    """Write a file with `n` functions of three numbers."""
    start, each, middle, again, end = SHAPES[tool]
    types = RUST_TYPES if tool == "pyo3" else C_TYPES
    signatures = [[types[i // 5**place % 5] for place in range(3)] for i in range(n)]
    for one in signatures:
        one += ["PyFloat_AsDouble" if kind in types[3:] else "PyLong_AsLong" for kind in one]
    first, second = (
        "".join(text.format(*one, i=i) for i, one in enumerate(signatures))
        for text in (each, again)
    )
    path = folder / f"many{SUFFIXES[tool]}"
    path.write_text(f"{start}{first}{middle}{second}{end}")
    return path


def measure(setting: Setting) -> Any:
    """Return seconds to build, bytes, and nanoseconds to import, by tool, build and number."""
    found: dict[str, dict[str, list[float]]] = {}
    for tool in SHAPES:
        for title, flags in BUILDS.items():
            shared = setting.folder / f"many {tool} {title}"
            for n in (1, *NUMBERS):  # the first build also makes the files that all modules share
                folder = shared / str(n) if tool not in ("nanobind", "pyo3") else shared
                folder.mkdir(parents=True, exist_ok=True)
                options, path = Options(flags=flags), source(tool, n, folder)
                name = f"{tool} {title}"
                made = setting.load(name, lambda a=(tool, path, folder, options): build(*a))
                if made and n > 1:
                    taken = [_imported(folder) for _ in range(setting.rounds)]
                    it = made[name]
                    found.setdefault(name, {})[str(n)] = [it.seconds, it.stripped, min(taken)]
    return found or None


def _imported(folder: Path) -> float:
    return float(
        subprocess.check_output(
            [sys.executable, "-P", "-c", IMPORT], cwd=folder, env={"PYTHONPATH": str(folder)}
        )
    )


def show(found: Any, backends: list[str]) -> str:
    """Say what one more function costs, from the largest and the smallest module."""
    few, most = str(NUMBERS[0]), str(NUMBERS[-1])
    each = {
        name: [
            (more - less) / (NUMBERS[-1] - NUMBERS[0])
            for less, more in zip(of[few], of[most], strict=True)
        ]
        for name, of in found.items()
        if {few, most} <= of.keys()
    }
    said = ", ".join(
        f"{name.split()[0]} {1e3 * seconds:.0f} ms and {size / 1e3:.1f} KB"
        for name, (seconds, size, _) in sorted(each.items(), key=lambda one: one[1][0])
        if name.endswith("optimised")
    )
    units = ((0, 1, 1), (1, 1e-3, 0), (2, 1e-6, 1))  # position, scale, decimals
    rows = [
        [name] + [f"{of[n][at] * scale:.{n_digits}f}" for at, scale, n_digits in units for n in of]
        for name, of in found.items()
    ]
    heads = [f"{what}, {n}" for what in ("build s", "KB", "import ms") for n in NUMBERS]
    sentence = f"Each additional function costs, in an optimised build: {said}."
    return f"{sentence}\n\n{figures.table(['', *heads], rows)}"
