"""Which processes take samples of what, and what is refused about them."""

from __future__ import annotations

import random
import time
from types import SimpleNamespace
from typing import Any

import pytest

import ffi_cookbook
from benchmarks.ledger import calls, sampling, worker
from benchmarks.ledger.kernels import Contender
from benchmarks.ledger.worker import WRONG

EFFORT = sampling.EFFORTS["usual"]._replace(variants=True)


def timed(binding: str, seconds: float) -> dict[str, Any]:
    """Return a sample of two rounds."""
    return {"binding": binding, "seconds": [seconds, seconds]}


def time_with(
    answers: Any, results: Any, monkeypatch: pytest.MonkeyPatch, group: str, *rows: str
) -> None:
    """Take the samples of a group again, with `answers` in place of the processes."""
    results.cells.clear()
    monkeypatch.setattr(sampling, "answers", answers)
    job = {"folder": "", "rows": list(rows), "kernels": [group], "brief": True}
    sampling.take(results, job, EFFORT, lambda detail: None)


def test_only_torch_takes_part_in_torchs_processes(
    results: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[str]] = []

    def answers(do: str, backends: list[str], **job: Any) -> Any:
        seen.append(backends)
        yield "pattern noop", {name: timed(name, 1.0) for name in backends}

    time_with(answers, results, monkeypatch, "patterns", "noop")
    assert [sorted(backends) for backends in seen if "torch" in backends] == [["capi", "torch"]]
    assert len(seen) == EFFORT.processes + EFFORT.apart
    cells = results.cells["pattern noop"]
    assert len(cells["capi"].seconds) == EFFORT.processes
    assert len(cells["torch"].seconds) == len(cells["capi" + calls.BRIDGE].seconds) == EFFORT.apart


def test_a_process_that_leaves_something_out_is_refused(
    results: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {"pattern noop": ["capi", "capi fast", "capi again"], "pattern error": ["capi"]}

    def run(*processes: dict[str, list[str]], checked: list[str]) -> list[str]:
        left = iter(processes)
        results.refused = []
        results.backends = {"capi": {"about": {}, "contenders": {"noop": checked}}}

        def answers(do: str, **job: Any) -> Any:
            for group, names in next(left).items():
                yield group, {name: timed("capi", 1.0) for name in names}

        time_with(answers, results, monkeypatch, "patterns", "noop", "error")
        return results.refused  # type: ignore[no-any-return]

    checked = ["capi", "capi fast"]
    assert run(*[whole] * EFFORT.processes, checked=checked) == []
    (said,) = run(whole, {**whole, "pattern noop": ["capi", "capi again"]}, checked=checked)
    assert said.startswith("pattern noop: only some")
    assert said.endswith(" capi fast")
    (said,) = run(whole, {"pattern noop": whole["pattern noop"]}, checked=checked)
    assert said.startswith("pattern error: ")
    (said,) = run({**whole, "pattern noop": ["capi", "capi again"]}, checked=checked)
    assert said.endswith(" capi fast")
    (said,) = run({**whole, "pattern noop": ["capi", "capi fast"]}, checked=checked)
    assert said.endswith(" capi again")


def test_each_answer_is_checked_again_after_it_was_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    def tiring(a: int, b: int) -> int:
        nonlocal asked
        asked += 1
        return a + b if asked < 10 else 0

    patterns = SimpleNamespace(add_int=tiring)
    monkeypatch.setattr(ffi_cookbook, "load", lambda name: SimpleNamespace(patterns=patterns))
    monkeypatch.setattr(worker.made, "load", lambda folder: None)
    job: dict[str, Any] = {"backends": ["capi"], "kernels": ["patterns"], "rows": ["add_int"]}
    job |= {"folder": "", "brief": True}
    job |= {"rounds": 1, "pattern_slice": 1e-5, "variants": True}
    said = dict(worker.sample(job))[WRONG]
    assert said[0].startswith("capi: patterns.add_int: f(a, b) gave 0, not 7000")


def test_a_kernel_that_waits_is_refused() -> None:
    kernels = {"idle": lambda: time.sleep(0.02), "busy": lambda: sum(range(9999)), "other": dict}
    jobs = {name: {"job": Contender("f()", {"f": f}, 1, 1)} for name, f in kernels.items()}
    found = worker.measure(jobs, 1, 1e-5, random.Random())
    said = [one for what, one in found if what == WRONG]
    assert said == [[], ["idle: job: waits, instead of computing"]]
