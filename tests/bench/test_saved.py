"""A run is saved whatever the earlier runs are, and what the page says of it is true."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.progress import Progress

from benchmarks import ROOT
from benchmarks.docs import splice
from benchmarks.ledger import instructions, storage
from benchmarks.ledger import options as options_module
from benchmarks.ledger import run as order
from benchmarks.ledger.instructions import flame
from benchmarks.ledger.instructions.counting import DUMPS
from benchmarks.report import facts, ledger, table
from benchmarks.report.page import history, saved, words


def options(folder: Path) -> SimpleNamespace:
    return SimpleNamespace(kernel=["patterns"], folder=folder, save="bench")


@pytest.mark.parametrize(
    "content", [b"\xff", b"[]", b'{"effort": "full", "floor": [0, 0]}', b'{"eff'], ids=str
)
def test_a_damaged_earlier_run_is_left_out(results: Any, tmp_path: Path, content: bytes) -> None:
    earlier = tmp_path / ".benchmarks" / "machine" / "0001_bench.json"
    earlier.parent.mkdir(parents=True)
    earlier.write_bytes(content)
    storage.save(results, storage.as_json(results), options(tmp_path))
    assert len(history.earlier(tmp_path / ".benchmarks")) == 1


def test_a_run_is_saved_before_its_page_is_made(
    results: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise KeyError("noise")

    monkeypatch.setattr(storage, "html", fail)
    with pytest.raises(KeyError):
        storage.save(results, storage.as_json(results), options(tmp_path))
    assert json.loads((tmp_path / "bench" / "latest.json").read_text())["benchmarks"]
    assert len(list(tmp_path.rglob("0001_bench.json"))) == 1


def test_a_run_without_counts_removes_the_profiles_of_an_earlier_run(
    results: Any, tmp_path: Path
) -> None:
    profiles = tmp_path / "bench" / DUMPS
    profiles.parent.mkdir()
    profiles.touch()
    storage.save(results, storage.as_json(results), options(tmp_path))
    assert profiles.exists()
    results.instructions = {}
    storage.save(results, storage.as_json(results), options(tmp_path))
    assert not profiles.exists()


def test_a_saved_run_gives_the_same_figures(results: Any) -> None:
    results.add("pattern new", {"capi": {"seconds": [1.23456e-8], "beside": [2.34567e-9]}})
    again = saved.read(json.loads(json.dumps(storage.as_json(results))))
    there, here = (one.cells["pattern new"]["capi"] for one in (again, results))
    assert there.seconds == [[1.235e-8]]
    assert there.estimate == here.estimate
    assert there.gross == here.gross


def test_a_flame_graph_of_torch_needs_more_than_a_quick_run(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="without --quick, which does not count torch"):
        flame.draw("add_int:torch", tmp_path)


def test_numpy_alone_has_nothing_to_count(
    results: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instructions, "available", lambda: None)
    monkeypatch.setattr(instructions, "count", lambda *_, **__: pytest.fail("counted"))
    results.backends = {"numpy": results.backends["numpy"]}
    with Progress(transient=True) as progress:
        steps = order.Steps(progress, [order.COUNTS])
        order._count(options_module.parse([]), results, str(tmp_path), steps)


def test_the_commit_is_that_of_the_benchmark_with_its_changes(
    results: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders: list[Path] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(storage, "get_commit_info", lambda: folders.append(Path.cwd()))
    document = storage.as_json(results)
    assert folders == [ROOT]
    assert Path.cwd() == tmp_path
    document["commit_info"] = {"id": "0123456789abcdef", "dirty": True}
    assert dict(words.card(results, document))["Commit"] == "0123456789 + changes"
    assert history._name(document).endswith("0123456 + changes")
    document["commit_info"]["dirty"] = False
    assert dict(words.card(results, document))["Commit"] == "0123456789"


def test_another_package_of_this_name_does_not_hide_the_benchmark(tmp_path: Path) -> None:
    other = tmp_path / "benchmarks"
    other.mkdir()
    (other / "__init__.py").write_text("")
    run = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks"), "--only", "rust"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert "rust: choose from python" in run.stderr


def test_an_interruption_is_not_a_second_speed(results: Any) -> None:
    results.__dict__["slow"] = (0.1, 1.6)
    assert "the machine has two speeds" in " ".join(facts.warnings(results))
    results.__dict__["slow"] = (0.1, 17.2)
    assert "the machine was interrupted" in " ".join(facts.warnings(results))


def test_one_of_a_kind_is_singular(results: Any) -> None:
    assert (table.number(1, "core"), table.number(2, "core")) == ("1 core", "2 cores")
    results.machine["cores"] = 1
    assert "1 core ·" in facts.headline(results)
    results.backends = {"capi": results.backends["capi"]}
    assert facts.valid(results).startswith("valid: 1 binding, built as required")


def test_the_notes_say_what_was_measured(results: Any) -> None:
    results.__dict__["floor"] = (1e-9, 0.01)
    everything = " ".join(ledger.costs(results).notes)
    for said in ("Noise floor ±1 ns", "mean over all patterns", "* releases the GIL"):
        assert said in everything
    results.cells = {"pattern noop": results.cells["pattern noop"]}
    assert "mean over the measured patterns" in " ".join(ledger.costs(results).notes)
    results.__dict__["floor"] = (0.0, 0.0)
    results.backends = {"pybind11": results.backends["pybind11"]}
    assert ledger.costs(results).notes == []


def test_the_floor_of_few_rows_is_their_largest_difference(results: Any) -> None:
    names = ("pattern noop", "pattern int_in", "pattern add_int")
    results.cells = {name: results.cells[name] for name in names}
    for number, cells in enumerate(results.cells.values(), 1):
        again = cells["capi again"]
        again.seconds = [[one + number * 1e-10 for one in rounds] for rounds in again.seconds]
    assert results.floor[0] == pytest.approx(3e-10)


def test_a_partial_run_is_not_published(
    results: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(splice, "replace", lambda *_: pytest.fail("written"))
    run = tmp_path / "run.json"
    run.write_text(json.dumps(storage.as_json(results)))
    assert splice.main([str(run)]) == 2
    assert "lacks the prices of calls" in capsys.readouterr().out
    monkeypatch.setattr(splice, "lacking", lambda _: [])
    with pytest.raises(KeyError):  # nothing is written if a text cannot be made
        splice.main([str(run)])


def test_prices_of_another_run_are_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(splice, "stored", dict)
    assert splice.main(["--check"]) == 0
    prices = json.loads(splice.PRICES.read_text())
    prices["backends"]["capi"]["parts"]["call"] = -1.0
    monkeypatch.setattr(splice, "PRICES", tmp_path / "measured.json")
    splice.PRICES.write_text(json.dumps(prices))
    assert splice.main(["--check"]) == 1
    assert "measured.json differs from the stored run" in capsys.readouterr().out
