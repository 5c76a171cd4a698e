"""Real faults, each planted in a copy of what is installed: the benchmark must refuse each by name.

They take a minute or two, and so have a session of their own: `nox -s bench_tests`.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import bindings

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
INSTALLED = Path(bindings.__file__).parents[1]


class Site:
    """A copy of the packages that comes first on the path, and the environment of its Python."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {"PYTHONPATH": str(folder)}
        for path in (INSTALLED / "bindings", *INSTALLED.glob("ffi_cookbook*")):
            shutil.copytree(path, folder / path.name)

    def file(self, pattern: str) -> Path:
        """Return the only file whose name matches the pattern."""
        (found,) = self.folder.glob(pattern)
        return found

    def patch(self, pattern: str, old: bytes, new: bytes) -> None:
        """Replace bytes everywhere in a file by others of the same number."""
        path = self.file(pattern)
        data = path.read_bytes()
        assert old in data
        path.write_bytes(data.replace(old, new.ljust(len(old))))

    def start(self, code: str) -> None:
        """Make every Python process run this code first."""
        (self.folder / "sitecustomize.py").write_text(code)

    def lie(self, code: str) -> None:
        """Change the capi binding when it is loaded."""
        self.start(
            "import bindings, os, signal\n"
            "load = bindings.load\n"
            "def lying(name):\n"
            "    binding = load(name)\n"
            f"    if name == 'capi': {code}\n"
            "    return binding\n"
            "bindings.load = lying\n"
        )

    def sign(self) -> None:
        """Write the hashes of the files as they are now into every RECORD."""
        for record in self.folder.glob("*.dist-info/RECORD"):
            with record.open(newline="") as file:
                rows = list(csv.reader(file))
            for row in rows:
                path = self.folder / row[0]
                if row[1] and path.exists():
                    digest = hashlib.sha256(path.read_bytes()).digest()
                    row[1] = "sha256=" + base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            with record.open("w", newline="") as file:
                csv.writer(file).writerows(rows)

    def check(self, backends: str) -> subprocess.CompletedProcess[str]:
        """Run the benchmark's checks, without timing."""
        options = f"--check --quick --only {backends} --kernel patterns --row add_int,array_in"
        return subprocess.run(
            [sys.executable, str(BENCHMARKS), *options.split()],
            capture_output=True,
            text=True,
            env={**os.environ, **self.environment},
        )


class Fault(NamedTuple):
    """A fault to plant and the message it must cause; `signed` if RECORD is updated after it."""

    plant: Callable[[Site], object]
    says: str
    backends: str = "capi"
    signed: bool = True


def flag(pattern: str, old: bytes, new: bytes) -> Callable[[Site], object]:
    return lambda site: site.patch(pattern, old, new)


def setting(**variables: str) -> Callable[[Site], object]:
    return lambda site: site.environment.update(variables)


def append(pattern: str, text: str) -> Callable[[Site], object]:
    def plant(site: Site) -> None:
        with site.file(pattern).open("ab") as file:
            file.write(text.encode())

    return plant


def silence(site: Site) -> None:
    path = site.file(CAPI)
    subprocess.run(["objcopy", "--remove-section=.GCC.command.line", path], check=True)


def sanitizer(site: Site) -> None:
    name = subprocess.run(
        ["gcc", "-print-file-name=libubsan.so"], capture_output=True, text=True, check=True
    )
    site.environment["LD_PRELOAD"] = name.stdout.strip()


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


def other_numpy(site: Site) -> None:
    """Copy NumPy to where PYTHONPATH finds it first."""
    path = Path(np.__file__).parent
    shutil.copytree(path, site.folder / "numpy")
    for libraries in path.parent.glob("numpy.libs"):
        shutil.copytree(libraries, site.folder / libraries.name)


def unrecorded(site: Site, name: str = "capi/matmul") -> None:
    record = site.file("ffi_cookbook-*.dist-info/RECORD")
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(line for line in lines if name not in line))


def without_sources(site: Site) -> None:
    site.file("bindings/capi/sources.json").unlink()
    unrecorded(site, "capi/sources.json")


def homeless(site: Site) -> None:
    shutil.rmtree(site.file("ffi_cookbook-*.dist-info"))


def namesake(site: Site) -> None:
    shutil.copy(site.file(CAPI), site.folder / "bindings/capi/matmul.abi3.so")


def truncated(site: Site) -> None:
    os.truncate(site.file(CAPI), 1000)


def reversion(site: Site) -> None:
    path = site.file("ffi_cookbook_pyo3-*.dist-info/METADATA")
    path.write_text(re.sub(r"\nVersion: \S+", "\nVersion: 9.9", path.read_text()))


def digest(pattern: str, source: str) -> Callable[[Site], object]:
    def plant(site: Site) -> None:
        data = site.file(pattern).read_bytes()
        (kept,) = re.findall(rb'"%s": ?"(\w+)"' % re.escape(source.encode()), data)
        site.patch(pattern, kept, kept[::-1])

    return plant


CAPI = "bindings/capi/matmul.*.so"
PYO3 = "ffi_cookbook_pyo3/*.so"
LEVEL, HIDDEN, MACHINE = b"-O3", b"-fvisibility=hidden", b"-march=x86-64"
RELEASE = b"opt-level=3 debug=false profile=release"
FLIP = "import sys; sys._is_gil_enabled = lambda: 'bindings.capi' in sys.modules"
DEBUG = "import sysconfig; get = sysconfig.get_config_var\n" + (
    "sysconfig.get_config_var = lambda name: 1 if name == 'Py_DEBUG' else get(name)"
)
TRACE = "import sys; sys.settrace(lambda *event: None)"
PROFILE = "import sys; sys.setprofile(lambda *event: None)"
THREAD = (
    "import threading, time;"
    " threading.Thread(target=time.sleep, args=(60,), daemon=True, name='spin').start()"
)
PORTABLE = "import os, sys\nif 'cython' in sys.orig_argv[-1]: os.environ['COOKBOOK_ISA']='portable'"

FAULTS = {
    "no optimisation": Fault(flag(CAPI, LEVEL, b"-O0"), "capi/matmul*was compiled with -O0"),
    "for size": Fault(flag(CAPI, LEVEL, b"-Os"), "capi/matmul*was compiled with -Os"),
    "a library for size": Fault(
        flag("bindings/ctypes/libcookbook.so", LEVEL, b"-Oz"),
        "libcookbook.so was compiled with -Oz",
        backends="ctypes",
    ),
    "torch's for debugging": Fault(
        flag("ffi_cookbook_torch/cookbook.so", LEVEL, b"-Og"),
        "cookbook.so was compiled with -Og",
        backends="torch",
    ),
    "fast mathematics": Fault(flag(CAPI, HIDDEN, b"-ffast-math"), "compiled with -ffast-math"),
    "sanitized": Fault(flag(CAPI, HIDDEN, b"-fsanitize=address"), "with -fsanitize=address"),
    "another machine": Fault(
        flag("bindings/cython/matmul.*.so", MACHINE, b"-march=znver4"),
        "cython: *cython/matmul*was compiled with * -march=znver4 *, others with",
        backends="capi,cython",
    ),
    "linked at once": Fault(
        flag(CAPI, HIDDEN, b"-flto=auto"), "capi: *capi/matmul* -flto=auto *, others with"
    ),
    "contraction": Fault(
        flag(CAPI, b"-ffp-contract=off", b"-ffp-contract=on"), "capi/matmul* -ffp-contract=on "
    ),
    "no flags": Fault(silence, "capi/matmul*does not say with which flags"),
    "a slow Rust": Fault(
        flag(PYO3, RELEASE, RELEASE.replace(b"=3", b"=0")), "compiled with opt-level=0", "pyo3"
    ),
    "a Rust for debugging": Fault(
        flag(PYO3, RELEASE, RELEASE.replace(b"=release", b"=debug")), "with profile=debug", "pyo3"
    ),
    "an altered extension": Fault(
        append(CAPI, "\0"), "capi/matmul*is not what was installed", signed=False
    ),
    "a truncated extension": Fault(
        truncated, "capi/matmul*is not what was installed", signed=False
    ),
    "a missing extension": Fault(
        lambda site: site.file(CAPI).unlink(), "capi/matmul*is not what was installed"
    ),
    "a forged digest": Fault(
        append("bindings/errors/code.py", "#"), "errors/code.py is not what", signed=False
    ),
    "an extension nobody installed": Fault(unrecorded, "capi/matmul*in no installed RECORD"),
    "a package nobody installed": Fault(
        homeless, "bindings is in use, but ffi-cookbook is installed"
    ),
    "two candidates": Fault(namesake, "matmul.abi3.so has the same name"),
    "a page left over": Fault(
        lambda site: (site.folder / "bindings/capi/records.py").touch(),
        "capi/records.py has the same name",
    ),
    "an older kernel": Fault(
        digest("bindings/capi/sources.json", "c_src/gemm/gemm.c"), "capi: c_src/gemm/gemm.c differ"
    ),
    "an older page of Rust": Fault(
        digest(PYO3, "bindings/pyo3/matmul.rs"), "pyo3: bindings/pyo3/matmul.rs differ", "pyo3"
    ),
    "no sources": Fault(without_sources, "capi/matmul*does not say from which sources"),
    "an older page of Python": Fault(
        append("bindings/ctypes/matmul.py", "#"), "bindings/ctypes/matmul.py differ", "ctypes"
    ),
    "two versions": Fault(reversion, "ffi-cookbook-pyo3 9.9", backends="pyo3"),
    "a debug build": Fault(lambda site: site.start(DEBUG), "Python is a debug build"),
    "development mode": Fault(setting(PYTHONDEVMODE="1"), "development mode"),
    "checked allocations": Fault(setting(PYTHONMALLOC="debug"), "PYTHONMALLOC=debug changes"),
    "another allocator": Fault(setting(PYTHONMALLOC="malloc"), "Python allocates by malloc"),
    "altered allocations": Fault(setting(MALLOC_PERTURB_="1"), "MALLOC_PERTURB_=1 changes"),
    "tuned allocations": Fault(
        setting(GLIBC_TUNABLES="glibc.malloc.tcache_count=0"), "GLIBC_TUNABLES=glibc"
    ),
    "a slow malloc": Fault(slow_malloc, "LD_PRELOAD=*slow.so changes"),
    "a frame hook": Fault(frame_hook, "evaluates frames (PEP 523) slows"),
    "another NumPy": Fault(other_numpy, "numpy/__init__.py is in use, which is not installed"),
    "a thread": Fault(
        lambda site: site.lie(THREAD),
        "capi: the thread 'spin' runs beside",
    ),
    "traced allocations": Fault(setting(PYTHONTRACEMALLOC="1"), "tracemalloc slows every call"),
    "a trace function": Fault(lambda site: site.start(TRACE), "sys.settrace slows every call"),
    "a profile function": Fault(
        lambda site: site.start(PROFILE), "sys.setprofile slows every call"
    ),
    "a sanitizer": Fault(sanitizer, "a sanitizer is loaded"),
    "the GIL switched on": Fault(
        lambda site: site.start(FLIP), "capi: a module*switches the GIL on"
    ),
    "an older machine for one": Fault(
        lambda site: site.start(PORTABLE), "cython: the kernels run on portable", "capi,cython"
    ),
    "a wrong sum": Fault(
        lambda site: site.lie("binding.patterns.add_int = lambda a, b: a - b"),
        "wrong: capi: *add_int",
    ),
    "a wrong variant": Fault(
        lambda site: site.lie("binding.patterns.idiomatic.array_in = lambda a: 0.0"),
        "wrong: capi: *array_in",
    ),
    "no answer": Fault(
        lambda site: site.lie("binding.patterns.add_int = None"), "wrong: capi: *NoneType"
    ),
    "a crash": Fault(
        lambda site: site.lie("os.kill(os.getpid(), signal.SIGSEGV)"), "killed by signal 11"
    ),
}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    assert (INSTALLED / "ffi_cookbook_pyo3").exists(), "install all three distributions first"
    folder = tmp_path / "site"
    folder.mkdir()
    yield Site(folder)
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    "backends", ["python,numpy,capi,cython,pyo3,torch", "ctypes,cffi,nanobind,pybind11"]
)
def test_an_unchanged_copy_passes(site: Site, backends: str) -> None:
    site.sign()
    checked = site.check(backends)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert f"{backends.count(',') + 1} bindings checked" in checked.stdout


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_refused(site: Site, name: str) -> None:
    fault = FAULTS[name]
    fault.plant(site)
    if fault.signed:
        site.sign()
    checked = site.check(fault.backends)
    assert checked.returncode == 2, checked.stdout + checked.stderr
    pattern = ".*".join(map(re.escape, "".join(fault.says.split()).split("*")))
    assert re.search(pattern, "".join(checked.stdout.split())), checked.stdout
