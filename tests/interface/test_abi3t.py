"""The stable ABI of CPython 3.15 in the C API: one file for builds with and without the GIL."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

MODULE = """
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
USE = """
import sys, sysconfig
import one
assert one.twice(21) == 42
assert sys._is_gil_enabled() != bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
"""


@pytest.mark.skipif(sys.version_info < (3, 15), reason="3.15 is the first with abi3t")
def test_one_file_loads_with_and_without_the_gil(tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text(MODULE)
    command = ["cc", "-shared", "-fPIC", "-DPy_TARGET_ABI3T=0x030f0000", "-o", "one.abi3t.so"]
    command += [f"-I{sysconfig.get_path('include')}", "one.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
    version = f"python3.{sys.version_info.minor}"
    for python in {sys.executable, *filter(None, map(shutil.which, (version, f"{version}t")))}:
        subprocess.run([python, "-W", "error", "-c", USE], cwd=tmp_path, check=True)
