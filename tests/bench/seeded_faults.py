"""Real faults, each planted in a copy of what is installed: the benchmark must refuse each by name.

They take some minutes, and so have a session of their own: `nox -s bench_tests`.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from support.planting import (
    CAPI,
    altered_numpy,
    append,
    frame_hook,
    homeless,
    native_thread,
    older,
    other_numpy,
    setting,
    slow_malloc,
    unit,
    unrecorded,
    without_receipt,
)
from support.site_copy import INSTALLED, Site


class Fault(NamedTuple):
    """A fault to plant and the message it must cause; `signed` if RECORD is updated after it."""

    plant: Callable[[Site], object]
    says: str
    backends: str = "capi"
    signed: bool = True


FLUSHED = (
    "import ctypes, mmap; code = mmap.mmap(-1, 4096, prot=7);"
    " code.write(bytes.fromhex('68c09f0000 0fae1424 58 c3'.replace(' ', '')));"
    " ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()"
)
"""Machine code of x86-64 that sets the flags as every library does that -ffast-math has linked."""
DEBUG = "import sysconfig; get = sysconfig.get_config_var\n" + (
    "sysconfig.get_config_var = lambda name: 1 if name == 'Py_DEBUG' else get(name)"
)
HALVED = "import time; clock = time.perf_counter_ns; time.perf_counter_ns = lambda: clock() // 2"
TRACE = "import sys; sys.settrace(lambda *event: None)"
THREAD = (
    "import threading, time;"
    " threading.Thread(target=time.sleep, args=(60,), daemon=True, name='spin').start()"
)
LATE = (
    "import threading, time; add = binding.patterns.add_int;"
    " late = threading.Thread(target=time.sleep, args=(60,), daemon=True, name='late');"
    " binding.patterns.add_int = lambda a, b: (late.ident or late.start()) and add(a, b) or a + b"
)

FAULTS = {
    "no optimisation": Fault(
        unit("capi/.*matmul", "-O3", "-O0"), "capi/*matmul*was compiled with -O0"
    ),
    "another machine": Fault(
        unit("cython/.*matmul", "-march=x86-64", "-march=znver4"),
        "cython: *cython/*matmul*was compiled with * -march=znver4 *, others with",
        "capi,cython",
    ),
    "a macro for one": Fault(
        unit("capi/.*scalars", "-Dcapi_patterns_EXPORTS", "-D_FORTIFY_SOURCE=2"),
        "capi/*scalars*was compiled with * -D_FORTIFY_SOURCE=2 *, others with",
    ),
    "a slow Rust": Fault(
        unit("ffi_cookbook_pyo3", "opt-level=3", "opt-level=0"), "without opt-level=3", "pyo3"
    ),
    "a slow crate": Fault(
        unit("^pyo3-", "opt-level=3", "opt-level=1"), "pyo3-*compiled with opt-level=1", "pyo3"
    ),
    "a Rust that aborts": Fault(
        unit("ffi_cookbook_pyo3", "-C opt-level=3", "-C opt-level=3 -C panic=abort"),
        "compiled with panic=abort",
        "pyo3",
    ),
    "an altered extension": Fault(
        append(CAPI, "\0"), "capi/matmul*is not what was installed", signed=False
    ),
    "a forged digest": Fault(
        append("ffi_cookbook/bindings/errors/code.py", "#"),
        "errors/code.py is not what",
        signed=False,
    ),
    "an extension nobody installed": Fault(unrecorded, "capi/matmul*in no installed RECORD"),
    "a package nobody installed": Fault(homeless, "capi/matmul*in no installed RECORD"),
    "an older kernel": Fault(older("c_src/gemm/gemm.c"), "capi: c_src/gemm/gemm.c differ"),
    "an older page of Rust": Fault(
        older("bindings/pyo3/matmul.rs"), "pyo3: bindings/pyo3/matmul.rs differ", "pyo3"
    ),
    "older settings of Cargo": Fault(
        older("bindings/pyo3/Cargo.toml"), "pyo3: bindings/pyo3/Cargo.toml differ", "pyo3"
    ),
    "no receipt": Fault(without_receipt, "how*capi/matmul*was built is not known"),
    "a debug build": Fault(lambda site: site.start(DEBUG), "Python is a debug build"),
    "development mode": Fault(setting(PYTHONDEVMODE="1"), "development mode"),
    "checked allocations": Fault(setting(PYTHONMALLOC="debug"), "PYTHONMALLOC=debug changes"),
    "altered allocations": Fault(setting(MALLOC_PERTURB_="1"), "MALLOC_PERTURB_=1 changes"),
    "changed allocations": Fault(
        setting(GLIBC_TUNABLES="glibc.malloc.tcache_count=0"), "GLIBC_TUNABLES=glibc"
    ),
    "a slow malloc": Fault(slow_malloc, "LD_PRELOAD=*slow.so changes"),
    "a frame hook": Fault(frame_hook, "evaluates frames (PEP 523) slows"),
    "another NumPy": Fault(other_numpy, "numpy/__init__.py is in use, which is not what"),
    "an altered NumPy": Fault(
        altered_numpy, "numpy/_globals.py is in use, which is not what", signed=False
    ),
    "a thread": Fault(
        lambda site: site.lie(THREAD),
        "capi: the thread 'spin' runs beside",
    ),
    "a native thread": Fault(native_thread, "capi: the thread 'native' runs beside"),
    "a thread that a call starts": Fault(
        lambda site: site.lie(LATE), "capi: the thread 'late' runs beside"
    ),
    "a clock at half speed": Fault(
        lambda site: site.start(HALVED), "runs 0.5* times as fast as the system's clock"
    ),
    "a processor's clock at half speed": Fault(
        lambda site: site.start(HALVED.replace("perf_counter", "process_time")),
        "the clock of kernels runs 0.5* times as fast",
    ),
    "another processor": Fault(
        lambda site: site.lie("os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})"),
        "the processors or the priority were changed",
    ),
    "no assertions": Fault(setting(PYTHONOPTIMIZE="1"), "Python runs with -O"),
    "traced allocations": Fault(setting(PYTHONTRACEMALLOC="1"), "tracemalloc slows every call"),
    "a trace function": Fault(lambda site: site.start(TRACE), "sys.settrace slows every call"),
    "numbers flushed to zero": Fault(
        lambda site: site.lie(FLUSHED), "in this process subnormal numbers are zero"
    ),
    "no collector": Fault(lambda site: site.lie("__import__('gc').disable()"), "no garbage"),
    "NumPy without its CPU": Fault(setting(NPY_DISABLE_CPU_FEATURES="AVX2"), "NPY_DISABLE"),
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
