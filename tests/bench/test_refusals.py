"""Rules against publishing a run, on made-up facts; `seeded_faults.py` plants real ones."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest

from benchmarks.ledger.sampling import EFFORTS
from benchmarks.trust import clean_build, installed
from benchmarks.trust import refusals as refusals_module

ABOUT = {"technology": "T", "compiler": "gcc 12.2.0", "isa": "avx2"}
GCC = ["GNU 12.2.0", "-O3", "-march=x86-64"]
RUSTC = ["rustc", "embed-bitcode=no", "opt-level=3"]


def binding(kernel: str = "C", *, flags: list[str] | None = None) -> dict[str, Any]:
    return {
        "about": {**ABOUT, "kernel": kernel},
        "provenance": {
            "interpreter": {
                **{"dev_mode": False, "tracing": [], "sanitizers": [], "environment": {}},
                **{"allocator": "pymalloc", "foreign": [], "threads": []},
                **{"clock": 1.001, "resolution": 40, "timers": [], "optimize": 0},
            },
            "gil": {"before": False, "after": False},
            "versions": {"numpy": "2.0"},
            "distributions": {"ffi-cookbook": "1", "ffi-cookbook-pyo3": "1"},
            "package": {"loaded": "/s/bindings", "installed": "/s/bindings", "tree": "/t/bindings"},
            "files": [{"path": "/s/x.so", "sha256": "0"}],
            "unknown": [],
            "environment": [{}],
            "units": {"x.c.o": flags or (RUSTC if kernel == "Rust" else GCC)},
            "pragmas": [],
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
    backends = {"pyo3": binding("Rust")}
    assert refusals(capi=binding(), numpy=unavailable, crashed={}, **backends) == []
    assert refusals(capi=tree) == []


FAULTS = {
    "no installed ffi-cookbook has it": ("package", "installed", ""),
    "c_src/y.c and 1 more differ": ("outdated", ["c_src/y.c", "c_src/z.c"]),
    "how /s/x.so and 1 more was built is not known": ("unknown", ["/s/x.so", "/s/y.so"]),
    "capi/x.c changes the flags it is compiled with": ("pragmas", ["bindings/capi/x.c"]),
}
"""Those that seeded_faults.py does not plant."""


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


def test_all_kernels_run_on_one_instruction_set() -> None:
    portable = binding("Rust")
    portable["about"]["isa"] = "portable"
    python = {**binding(), "about": {**ABOUT, "kernel": "Python", "isa": "bytecode"}}
    said = refusals(python=python, capi=binding(), cffi=binding(), pyo3=portable)
    assert [one.partition(",")[0] for one in said] == ["capi", "pyo3: the kernels run on portable"]
    assert said[0].startswith("capi, cffi: the kernels run on avx2")


def test_a_step_of_the_clock_is_at_most_a_hundredth_of_a_slice() -> None:
    slices = [
        one for effort in EFFORTS.values() for one in (effort.pattern_slice, effort.kernel_slice)
    ]
    assert pytest.approx(1e7 * min(slices)) == refusals_module.TICK


def test_of_equal_builds_the_newest_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest, made = clean_build.sha256(b"code"), tmp_path / "made.so"
    made.write_bytes(b"code")
    for name, age in (("a", 100), ("b", 0), ("c", 200)):
        path = tmp_path / name / clean_build.RECEIPT
        path.parent.mkdir()
        path.write_text(json.dumps({"name": name, "files": {"x.so": digest}, "sources": {}}))
        os.utime(path, (1e9 - age, 1e9 - age))
    monkeypatch.setattr(installed, "WHEELS", tmp_path)
    installed._receipts.cache_clear()
    monkeypatch.setattr(installed, "differing", lambda backend, one: set())
    same = installed.receipt(made, "capi")
    monkeypatch.setattr(installed, "differing", lambda backend, one: {"c_src/x.c"})
    other = installed.receipt(made, "capi")
    installed._receipts.cache_clear()
    assert [one and one["name"] for one in (same, other)] == ["b", "b"]
