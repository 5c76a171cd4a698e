"""Every rule against publishing a run, on made-up facts; `seeded_faults.py` plants real ones."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from benchmarks.honesty import refusals as refusals_module

GCC = "GNU C11 12.2.0 -mtune=generic -march=x86-64 -O3 -std=gnu11 -fPIC -fvisibility=hidden"
ABOUT = {"technology": "T", "compiler": "gcc 12.2.0", "isa": "avx2"}
RUSTC = {"flags": "opt-level=3 debug=false profile=release", "kernel": "Rust"}


def binding(kernel: str = "C", *, command: str = GCC) -> dict[str, Any]:
    gcc = {
        "compilers": ["GCC: (GNU) 12.2.0"],
        "commands": [command, f"{command} -ffp-contract=off"],
    }
    rustc = {"compilers": ["rustc version 1.95.0"], "commands": []}
    return {
        "about": {**ABOUT, **(RUSTC if kernel == "Rust" else {"kernel": kernel})},
        "provenance": {
            "interpreter": {
                **{"dev_mode": False, "tracing": [], "sanitizers": [], "environment": {}},
                **{"allocator": "pymalloc", "foreign": [], "threads": []},
            },
            "gil": {"before": False, "after": False},
            "versions": {"numpy": "2.0"},
            "distributions": {"ffi-cookbook": "1", "ffi-cookbook-pyo3": "1"},
            "package": {"loaded": "/s/bindings", "installed": "/s/bindings", "tree": "/t/bindings"},
            "files": [{"path": "/s/x.so", "sha256": "0", **(rustc if kernel == "Rust" else gcc)}],
            "sources_kept": True,
            "outdated": [],
            "altered": [],
            "strays": [],
            "namesakes": [],
        },
    }


def refusals(**backends: Any) -> list[str]:
    found: list[str] = refusals_module.refusals(backends, {"debug_build": False})
    return found


def test_good_facts_are_not_refused() -> None:
    unavailable = {"reason": "not built", "remedy": "build it"}
    tree = binding()
    tree["provenance"]["package"].update(loaded="/t/bindings", installed="")
    cxx = binding(command=f"{GCC.replace('C11', 'C++17')} -mtls-dialect=gnu2")
    backends = {"cython": binding("Cython"), "pyo3": binding("Rust"), "nanobind": cxx}
    assert refusals(capi=binding(), numpy=unavailable, crashed={}, **backends) == []
    assert refusals(capi=tree) == []


FAULTS = {
    "development mode": ("interpreter", "dev_mode", True),
    "PYTHONMALLOC=debug": ("interpreter", "environment", {"PYTHONMALLOC": "debug"}),
    "sys.settrace": ("interpreter", "tracing", ["sys.settrace"]),
    "sanitizer is loaded (libasan.so.8)": ("interpreter", "sanitizers", ["libasan.so.8"]),
    "LD_PRELOAD=/l/slow.so changes": ("interpreter", "environment", {"LD_PRELOAD": "/l/slow.so"}),
    "MALLOC_ARENA_MAX=1 changes": ("interpreter", "environment", {"MALLOC_ARENA_MAX": "1"}),
    "Python allocates by malloc": ("interpreter", "allocator", "malloc"),
    "/old/numpy/__init__.py is in use": ("interpreter", "foreign", ["/old/numpy/__init__.py"]),
    "the thread 'spin' runs beside": ("interpreter", "threads", ["spin"]),
    "GIL": ("gil", "after", True),
    "/s/bindings is in use, but": ("package", "installed", "/elsewhere/bindings"),
    "no installed ffi-cookbook has it": ("package", "installed", ""),
    "/s/y.so is in use, and in no installed RECORD": ("strays", ["/s/y.so"]),
    "/s/y.so is not what was installed": ("altered", ["/s/y.so"]),
    "y.abi3.so has the same name": ("namesakes", [("/s/y.so", "/s/y.abi3.so")]),
    "c_src/y.c and 1 more differ": ("outdated", ["c_src/y.c", "c_src/z.c"]),
    "/s/x.so does not say from which sources": ("sources_kept", False),
    "ffi-cookbook 1, ffi-cookbook-pyo3 2": ("distributions", "ffi-cookbook-pyo3", "2"),
}


@pytest.mark.parametrize("says", FAULTS)
def test_a_fault_is_named_with_its_backends(says: str) -> None:
    *keys, last, value = FAULTS[says]
    harmed = binding()
    facts: Any = harmed["provenance"]
    for key in keys:
        facts = facts[key]
    facts[last] = value
    (said,) = refusals(ctypes=binding(), capi=harmed, cffi=copy.deepcopy(harmed))
    assert said.startswith("capi, cffi: ")
    assert says in said


SLOW = ["-O0", "-O1", "-Og", "-Os", "-Oz", "-pg", "--coverage", "-fprofile-arcs"]
BENT = ["-Ofast", "-ffast-math", "-fsanitize=address", "-fsanitize=undefined,address"]


@pytest.mark.parametrize("flag", SLOW + BENT)
def test_a_flag_that_slows_or_changes_results_is_named(flag: str) -> None:
    said = " ".join(refusals(capi=binding(command=f"{GCC} {flag}")))
    assert f"capi: /s/x.so was compiled with {flag}: " in said


@pytest.mark.parametrize("flag", ["-march=native", "-mavx2", "-flto", "-ffp-contract=fast", "-O2"])
def test_a_flag_that_one_backend_has_alone_is_named(flag: str) -> None:
    (said,) = refusals(ctypes=binding(), cffi=binding(), capi=binding(command=f"{GCC} {flag}"))
    assert said.startswith("capi: /s/x.so was compiled with ")
    assert flag in said
    everyone = binding(command=f"{GCC} {flag}")
    assert refusals(ctypes=everyone, capi=copy.deepcopy(everyone)) == []


def test_another_compiler_for_one_backend_is_named() -> None:
    (said,) = refusals(
        ctypes=binding(), cffi=binding(), capi=binding(command=GCC.replace("12.2", "9.3"))
    )
    assert "GNU 9.3.0 -O3" in said


@pytest.mark.parametrize("kernel", ["C", "Rust"])
def test_a_file_must_say_how_it_was_made(kernel: str) -> None:
    silent = binding(kernel)
    silent["provenance"]["files"][0]["commands"] = []
    silent["about"]["flags"] = ""
    (said,) = refusals(capi=silent)
    assert "/s/x.so does not say with which flags" in said


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        ("opt-level=0 debug=false profile=release", "opt-level=0"),
        ("opt-level=3 debug=true profile=debug", "profile=debug"),
        ("opt-level=3 debug=false profile=release debug-assertions", "debug-assertions"),
        ("opt-level=3 profile=release -C target-cpu=native", "target-cpu=native"),
    ],
)
def test_rust_must_be_a_release(flags: str, says: str) -> None:
    rust = binding("Rust")
    rust["about"]["flags"] = flags
    (said,) = refusals(capi=binding(), pyo3=rust)
    assert said.startswith(f"pyo3: /s/x.so was compiled with {says}: ")


def test_all_kernels_run_on_one_instruction_set() -> None:
    portable = binding("Rust")
    portable["about"]["isa"] = "portable"
    python = {**binding(), "about": {**ABOUT, "kernel": "Python", "isa": "bytecode"}}
    said = refusals(python=python, capi=binding(), cffi=binding(), pyo3=portable)
    assert [one.partition(",")[0] for one in said] == ["capi", "pyo3: the kernels run on portable"]
    assert said[0].startswith("capi, cffi: the kernels run on avx2")


def test_a_debug_build_of_python_is_named() -> None:
    refuse = refusals_module.refusals
    (said,) = refuse({"capi": binding()}, {"debug_build": True})
    assert "debug build" in said
