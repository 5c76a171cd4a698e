"""Faults that a test plants in a copy of the installed packages."""

from __future__ import annotations

import re
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from support.site_copy import Site

CAPI = "ffi_cookbook/bindings/capi/matmul.*.so"


def unit(pattern: str, old: str, new: str) -> Callable[[Site], object]:
    """Compile the units that match a pattern with other flags, by their receipt."""

    def change(receipt: Any) -> None:
        for one in receipt["units"]:
            if re.search(pattern, one["file"]):
                for key in ("command", "record"):
                    one[key] = one[key].replace(old, new)

    return lambda site: site.receipts(change)


def setting(**variables: str) -> Callable[[Site], object]:
    return lambda site: site.environment.update(variables)


def append(pattern: str, text: str) -> Callable[[Site], object]:
    def plant(site: Site) -> None:
        with site.file(pattern).open("ab") as file:
            file.write(text.encode())

    return plant


def slow_malloc(site: Site) -> None:
    source, library = site.folder / "slow.c", site.folder / "slow.so"
    source.write_text("int slow;\n")
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", library], check=True)
    site.environment["LD_PRELOAD"] = str(library)


HOOK = """
#include <Python.h>
static PyObject *hook(PyThreadState *state, struct _PyInterpreterFrame *frame, int thrown) {
  return _PyEval_EvalFrameDefault(state, frame, thrown);
}
void install(void) { _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState_Get(), hook); }
"""


def frame_hook(site: Site) -> None:
    source, library = site.folder / "hook.c", site.folder / "hook.so"
    source.write_text(HOOK)
    include = f"-I{sysconfig.get_path('include')}"
    subprocess.run(["cc", include, "-shared", "-fPIC", source, "-o", library], check=True)
    site.start(f"import ctypes; ctypes.PyDLL({str(library)!r}).install()")


SPIN = """
#include <pthread.h>
#include <unistd.h>
static void *spin(void *nothing) { sleep(60); return nothing; }
void start(void) { pthread_t thread; pthread_create(&thread, 0, spin, 0); }
"""


def native_thread(site: Site) -> None:
    source, library = site.folder / "spin.c", site.folder / "spin.so"
    source.write_text(SPIN)
    subprocess.run(["cc", source, "-shared", "-fPIC", "-pthread", "-o", library], check=True)
    site.lie(f"import ctypes; ctypes.CDLL({str(library)!r}).start()")


def other_numpy(site: Site) -> None:
    """Copy NumPy to where PYTHONPATH finds it first."""
    path = Path(np.__file__).parent
    shutil.copytree(path, site.folder / "numpy")
    for libraries in path.parent.glob("numpy.libs"):
        shutil.copytree(libraries, site.folder / libraries.name)


def altered_numpy(site: Site) -> None:
    """Put an environment's NumPy with one changed file where Python finds it first."""
    other_numpy(site)
    metadata = next(Path(np.__file__).parents[1].glob("numpy-*.dist-info"))
    shutil.copytree(metadata, site.folder / metadata.name)
    with (site.folder / "numpy/_globals.py").open("a") as file:
        file.write("#")
    site.start(f"import site; site.getsitepackages = lambda: [{str(site.folder)!r}]")


def unrecorded(site: Site, name: str = "capi/matmul") -> None:
    record = site.file("ffi_cookbook-*.dist-info/RECORD")
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(line for line in lines if name not in line))


def without_receipt(site: Site) -> None:
    shutil.rmtree(site.wheels)


def homeless(site: Site) -> None:
    shutil.rmtree(site.file("ffi_cookbook-*.dist-info"))


def older(source: str) -> Callable[[Site], object]:
    """Build from another version of a source, by the receipt."""

    def change(receipt: Any) -> None:
        if source in receipt["sources"]:
            receipt["sources"][source] = "0" * 64

    return lambda site: site.receipts(change)
