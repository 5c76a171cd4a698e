"""The stable ABI of CPython 3.15: one file for builds with and without the GIL."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.version_info < (3, 15), reason="3.15 is the first with abi3t")
C_API = """
#include <Python.h>

static PyObject *twice(PyObject *self, PyObject *number) { return PyNumber_Add(number, number); }

static PyMethodDef methods[] = {{"twice", twice, METH_O, "Return number + number."}, {0}};
PyABIInfo_VAR(abi);
static PySlot slots[] = {
  PySlot_STATIC_DATA(Py_mod_abi, &abi), PySlot_STATIC_DATA(Py_mod_name, "one"),
  PySlot_STATIC_DATA(Py_mod_methods, methods), PySlot_DATA(Py_mod_gil, Py_MOD_GIL_NOT_USED),
  PySlot_END};
PyMODEXPORT_FUNC PyModExport_one(void) { return slots; }
"""
CFFI = """
import cffi
ffi = cffi.FFI()
ffi.cdef("int twice(int number);")
source = "static int twice(int number) { return number + number; }"
ffi.set_source("one", source, py_limited_api=True)
assert ".abi3t" in ffi.compile()
"""
MANIFEST = """
package = { name = "one", version = "0.1.0", edition = "2021" }
lib = { path = "lib.rs", crate-type = ["cdylib"] }
dependencies.pyo3 = { version = "0.30", features = ["abi3t-py315"] }
"""
PYO3 = "#[pyo3::pymodule] mod one { #[pyo3::pyfunction] fn twice(n: i64) -> i64 { 2 * n } }"
USE = """
import sys, sysconfig
import one
assert getattr(one, "lib", one).twice(21) == 42
assert sys._is_gil_enabled() != bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
"""


def assert_loads(*pythons: str | None) -> None:
    for python in filter(None, {sys.executable, *pythons}):
        subprocess.run([python, "-W", "error", "-c", USE], check=True)


BOTH = [shutil.which(f"python3.{sys.version_info.minor}{end}") for end in ("", "t")]


def test_c_api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.c").write_text(C_API)
    command = ["cc", "-shared", "-fPIC", "-DPy_TARGET_ABI3T=0x030f0000", "-o", "one.abi3t.so"]
    subprocess.run([*command, f"-I{sysconfig.get_path('include')}", "one.c"], check=True)
    assert_loads(*BOTH)


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="cffi needs 3.15t")
def test_cffi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    subprocess.run([sys.executable, "-c", CFFI], check=True)
    assert_loads()


@pytest.mark.skipif(not shutil.which("cargo"), reason="needs cargo")
def test_pyo3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("Cargo.toml").write_text(MANIFEST)
    Path("lib.rs").write_text(PYO3)
    variables = os.environ | {"PYO3_BUILD_EXTENSION_MODULE": "1", "PYO3_PYTHON": sys.executable}
    subprocess.run(["cargo", "build", "--quiet"], check=True, env=variables)
    shutil.copy("target/debug/libone.so", "one.abi3t.so")
    assert_loads(*BOTH)
