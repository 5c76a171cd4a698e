"""Which processes take samples of what, and what is refused about them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import ffi_cookbook
from benchmarks.ledger import calls, sampling, worker
from benchmarks.ledger.worker import WRONG


def timed(binding: str, seconds: float) -> dict[str, Any]:
    """Return a sample of two rounds."""
    return {"binding": binding, "seconds": [seconds, seconds]}


def time_with(
    answers: Any, results: Any, monkeypatch: pytest.MonkeyPatch, group: str, *rows: str
) -> None:
    """Take the samples of a group again, with `answers` in place of the processes."""
    results.cells.clear()
    monkeypatch.setattr(sampling, "answers", answers)
    sampling.take(results, "usual", list(rows), [group], "", lambda detail: None)


def test_only_torch_takes_part_in_torchs_processes(
    results: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[str]] = []

    def answers(do: str, backends: list[str], **job: Any) -> Any:
        seen.append(backends)
        yield (
            "pattern noop",
            {name: timed(name, 1.0) for name in backends},
        )

    time_with(answers, results, monkeypatch, "patterns", "noop")
    assert [sorted(backends) for backends in seen[1::2]] == [["capi", "torch"]] * 3
    assert all("torch" not in backends and "pybind11" in backends for backends in seen[::2])
    cells = results.cells["pattern noop"]
    assert len(cells["capi"].seconds) == len(cells["torch"].seconds) == 3
    assert len(cells["capi" + calls.BRIDGE].seconds) == 3


def test_only_uncertain_cells_are_timed_again(
    results: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    results.backends = {"capi": results.backends["capi"]}
    rows: list[list[str]] = []

    def answers(do: str, **job: Any) -> Any:
        rows.append(job["rows"])
        for row in job["rows"]:
            late = len(rows) * 1.0 if row == "error" else 0.0
            yield (
                f"pattern {row}",
                {"capi": timed("capi", 9.0 + late)},
            )

    time_with(answers, results, monkeypatch, "patterns", "noop", "error")
    assert rows == [["noop", "error"]] * sampling.LEAST + [["error"]] * (6 - sampling.LEAST)


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
    assert run(*[whole] * sampling.LEAST, checked=checked) == []
    (said,) = run(whole, {**whole, "pattern noop": ["capi", "capi again"]}, checked=checked)
    assert said.startswith("pattern noop: only some")
    assert said.endswith(" capi fast")
    (said,) = run(whole, {"pattern noop": whole["pattern noop"]}, checked=checked)
    assert said.startswith("pattern error: ")
    (said,) = run({**whole, "pattern noop": ["capi", "capi again"]}, checked=checked)
    assert said.endswith(" capi fast")
    (said,) = run({**whole, "pattern noop": ["capi", "capi fast"]}, checked=checked)
    assert said.endswith(" capi again")


def test_an_answer_that_goes_wrong_while_it_is_timed_is_refused(
    results: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answers(do: str, **job: Any) -> Any:
        yield "pattern noop", {"capi": timed("capi", 1.0)}
        yield WRONG, ["capi: patterns.noop: f() gave 1, not None after it was timed"]

    results.backends = {"capi": results.backends["capi"]}
    time_with(answers, results, monkeypatch, "patterns", "noop")
    assert results.refused == ["capi: patterns.noop: f() gave 1, not None after it was timed"]


def test_each_answer_is_checked_again_after_it_was_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    def tiring(a: int, b: int) -> int:
        nonlocal asked
        asked += 1
        return a + b if asked < 10 else 0

    patterns = SimpleNamespace(add_int=tiring)
    monkeypatch.setattr(ffi_cookbook, "load", lambda name: SimpleNamespace(patterns=patterns))
    monkeypatch.setattr(worker.made, "load", lambda folder: None)
    job = {"backends": ["capi"], "folder": "", "kernels": ["patterns"], "rows": ["add_int"]}
    job |= {"rounds": 1, "pattern_slice": 1e-5, "variants": True}
    (said,) = dict(worker.sample(job))[WRONG]
    assert said.startswith("capi: patterns.add_int: f(a, b) gave 0, not 7000")
