"""A comparison of two runs finds what changed, on a busy machine too, and little else."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.core import machine
from benchmarks.ledger import compare, storage
from benchmarks.ledger.results import Results
from benchmarks.report import page

BINDINGS = ("capi", "cython", "pyo3", "nanobind", "pybind11", "cffi", "ctypes")


def run(seed: int, slower: dict[str, float] | None = None, busy: float = 0.0) -> Results:
    """Return a run on a machine with slow processes and moments, which slow long calls more."""
    draw, made = np.random.default_rng(seed), Results()
    for _ in range(6):
        process = 1 + abs(draw.normal(0, 0.08))
        for row in range(47):
            moment = process * (1 + abs(draw.normal(0, 0.05, 12)))
            for number, name in enumerate(BINDINGS):
                layout = 1 + draw.normal(0, 0.03 if name == "capi" else 0.01)
                length = ((1 + number) * (1 + row % 12)) ** (1 + busy)
                base = 2e-8 * length * layout * (slower or {}).get(name, 1.0)
                taken = base * moment * (1 + abs(draw.normal(0, 0.04, 12)))
                sample = {"binding": name, "seconds": [*taken], "beside": [*(1e-8 * moment)]}
                made.add(f"pattern {row}", {name: sample})
    return made


@pytest.mark.parametrize(("binding", "busy"), [("nanobind", 0.0), ("capi", 0.04)])
def test_ten_percent_in_one_binding_are_found(binding: str, busy: float) -> None:
    found = compare.compare(run(1), run(2, {binding: 1.1}, busy))
    named = [change for change in found.changes if change.binding == binding]
    assert len(named) >= 40  # of 47
    assert len(found.changes) - len(named) <= 4
    for name, (median, _) in found.by_binding.items():
        assert median == pytest.approx(0.1 if name == binding else 0.0, abs=0.03)


def test_a_slower_row_is_named_once_and_one_process_is_not_compared() -> None:
    now = run(2)
    for name, cell in now.cells["pattern 5"].items():
        cell.seconds = [[1.3 * one for one in rounds] for rounds in cell.seconds]
        now.cells["pattern 6"][name].seconds = cell.seconds[:1]
    found = compare.compare(run(1), now)
    whole = [str(change) for change in found.changes if change.ratio > 1.1]
    assert [one[:15] for one in whole] == ["pattern 5 [all]"]
    assert {n for _, n in found.by_binding.values()} == {46}


def test_a_repetition_changes_nothing() -> None:
    assert sum(len(compare.compare(run(3), run(seed)).changes) for seed in (4, 5)) <= 6


@pytest.fixture
def document(results: Any) -> Any:
    return storage.as_json(results)


def test_other_machines_are_refused_and_other_versions_named(document: Any) -> None:
    compare.refuse(document, machine.facts())
    with pytest.raises(ValueError, match=r"processor: .* then, Z80 now"):
        compare.refuse(document, {**machine.facts(), "processor": "Z80"})
    now = copy.deepcopy(document)
    del now["cells"]["pattern noop"]["cython"]
    now["effort"] = "full"
    now["machine"]["numpy"], now["backends"]["capi"]["about"]["compiler"] = "1.26.0", "gcc 99"
    said = compare.lines(document, now)
    assert f"! numpy: {document['machine']['numpy']} then, 1.26.0 now" in said
    assert "! capi: compiler: gcc then, gcc 99 now" in said
    assert "! effort: usual then, full now" in said
    assert "! only then: 1 cells, such as pattern noop [cython]" in said
    assert "! noisy then: others took 50% of the machine" in said
    assert said[-1] == "0 cells changed, relative to the others"


def test_kernels_with_other_inputs_are_left_out(results: Any) -> None:
    other = copy.deepcopy(results)
    other.inputs = {"records": "others"}
    both, calls = (compare.compare(one, results).by_binding for one in (results, other))
    assert both["numpy"][1] > 0
    assert "numpy" not in calls


def test_the_last_run_of_a_name_is_loaded(
    results: Any, tmp_path: Path, document: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "html", lambda *_: "")
    for number, name in enumerate(("main", "main", "not_main")):
        storage.save(results, {**document, "number": number}, tmp_path, name)
    assert storage.load("main", tmp_path)["number"] == 1
    latest = str(tmp_path / "bench" / "latest.json")
    assert storage.load(latest, tmp_path)["number"] == 2
    assert compare.main(["main", latest, "--folder", str(tmp_path)]) == 0


@pytest.mark.parametrize("content", [b"\xff", b"[]", b'{"effort": "full"}', b'{"eff'], ids=str)
def test_a_file_that_is_no_run_is_refused(content: bytes, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "run.json").write_bytes(content)
    assert compare.main([str(tmp_path / "run.json"), "--folder", str(tmp_path)]) == 2
    assert "is not a" in capsys.readouterr().out
    assert compare.main(["none", "--folder", str(tmp_path)]) == 2
    assert "no run was saved as none" in capsys.readouterr().out


def test_a_saved_run_gives_the_same_figures(results: Any) -> None:
    one = {"binding": "capi", "seconds": [1.23456e-8], "beside": [2.34567e-9]}
    results.add("pattern new", {"capi": one})
    again = storage.read(json.loads(json.dumps(storage.as_json(results))))
    there, here = (run.cells["pattern new"]["capi"] for run in (again, results))
    assert there.seconds == [[1.235e-8]]
    assert (there.estimate, there.binding) == (here.estimate, "capi")
