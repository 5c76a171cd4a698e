"""Rules against publishing a run, on made-up facts; `seeded_faults.py` plants real ones."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from benchmarks.trust import refusals as refusals_module

ABOUT = {"technology": "T", "compiler": "gcc 12.2.0", "isa": "avx2"}
GCC = ["GNU 12.2.0", "-O3", "-march=x86-64"]
RUSTC = ["rustc", "embed-bitcode=no", "opt-level=3"]


def binding(kernel: str = "C", *, flags: list[str] | None = None) -> dict[str, Any]:
    return {
        "about": {**ABOUT, "kernel": kernel},
        "provenance": {
            "interpreter": {
                **{"dev_mode": False, "tracing": [], "environment": {}},
                **{"foreign": [], "threads": [], "state": [], "clocks": {}, "optimize": 0},
            },
            "versions": {"numpy": "2.0"},
            "files": [{"path": "/s/x.so", "sha256": "0"}],
            "unknown": [],
            "units": {"x.c.o": flags or (RUSTC if kernel == "Rust" else GCC)},
            "pragmas": [],
            "outdated": [],
            "altered": [],
            "strays": [],
        },
    }


def refusals(**backends: Any) -> list[str]:
    found: list[str] = refusals_module.refusals(backends, {"debug_build": False})
    return found


def test_good_facts_are_not_refused() -> None:
    unavailable = {"reason": "not built", "remedy": "build it"}
    backends = {"pyo3": binding("Rust")}
    assert refusals(capi=binding(), numpy=unavailable, crashed={}, **backends) == []


FAULTS = {
    "c_src/y.c and 1 more differ": ("outdated", ["c_src/y.c", "c_src/z.c"]),
    "capi/x.c changes the flags it is compiled with": ("pragmas", ["bindings/capi/x.c"]),
}
"""Those that seeded_faults.py does not plant."""


@pytest.mark.parametrize("says", FAULTS)
def test_a_fault_is_named_with_its_backends(says: str) -> None:
    harmed = binding()
    harmed["provenance"] |= dict([FAULTS[says]])
    (said,) = refusals(ctypes=binding(), capi=harmed, cffi=copy.deepcopy(harmed))
    assert said.startswith("capi, cffi: ")
    assert says in said
