"""The benchmark's command: wrong answers stop it, what it shows is complete, and it is saved."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import ffi_cookbook
from benchmarks import ROOT
from benchmarks.core.process import WorkerFailed
from benchmarks.docs import splice
from benchmarks.ledger import command, rows, sampling, storage
from benchmarks.ledger import run as order
from benchmarks.ledger.instructions import gate
from benchmarks.ledger.results import Cell
from benchmarks.ledger.worker import INTERPRETER, WRONG
from benchmarks.report import page, tables, terminal
from benchmarks.trust.interpreter import interpreter

NATIVE = [name for name in ffi_cookbook.names() if name != "numpy"]


def test_the_page_has_every_cell_and_loads_nothing(results: Any) -> None:
    for cells in results.cells.values():
        for cell in cells.values():
            cell.seconds += [[1234.5e-9] * 3] * 13  # as many samples as of a full run
    text = page.html(results, storage.as_json(results))
    assert len(text) < 400 << 10
    assert not re.search(r'(?:src|href)="(?!latest\.json)', text)
    assert all(f">{name}<" in text or f">{name}*<" in text for name in NATIVE)
    assert "pyo3 unavailable: it is not built; to fix it: pip install it" in text
    assert "noisy: other processes had 50%" in text
    cells, sources = (
        json.loads(re.search(rf"^const {name} = (.*);$", text, re.MULTILINE)[1])  # type: ignore[index]
        for name in ("cells", "sources")
    )
    assert cells.keys() == rows.ALL.keys()
    *_, instructions, binding, where, samples = cells["noop"]["capi"]
    assert (instructions, binding, where) == (101, "capi", "scalars")
    assert samples[:3] == ["3 4.5 1.5", "1 1.5 0.5", "2 3 1"]
    assert "../bindings/capi/patterns/scalars.c" in sources["capi"]["scalars"]
    assert sources["ctypes"]["idiomatic"]
    site = page.sources(results, "{page}#{binding}")
    assert site["capi"]["scalars"] == ["scalars#capi"]


def test_by_default_one_screen_of_80_columns_is_printed(results: Any) -> None:
    with open(os.devnull, "w") as file:
        console = Console(width=80, record=True, file=file)
        terminal.ledger(results, False, console)
        terminal.show(results, list(tables.TABLES), False, console)
        lines = console.export_text().splitlines()
    text = "\n".join(lines)
    assert len(lines) <= 50, text
    assert "…" not in text
    headed = lines[1] if lines[1].startswith("valid") else lines[2]  # the headline may be folded
    assert headed.startswith("valid: 9 bindings, built as required, with the right answers")
    assert [row for row in rows.ALL if f"\n {row} " in text] == list(rows.HEADLINE)
    assert len(re.findall(r"\n (?:matmul|decode|encode) ", text)) == 3


def count(results: Any, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> list[list[str]]:
    """Count with a counter that fails, and return the bindings that it was asked for."""
    asked: list[list[str]] = []

    def fail(backends: list[str], *_: Any, **__: Any) -> None:
        asked.append(backends)
        raise WorkerFailed("counting capi: no such instruction")

    monkeypatch.setattr(order, "available", lambda: None)
    monkeypatch.setattr(order, "count", fail)
    order._count(command.parse(arguments), results, "")
    return asked


@pytest.mark.parametrize(
    ("chosen", "counted"), [(["capi", "torch"], ["capi"]), (["torch"], ["torch"]), (["numpy"], [])]
)
def test_a_usual_run_does_not_count_torch_beside_others(
    results: Any, monkeypatch: pytest.MonkeyPatch, chosen: list[str], counted: list[str]
) -> None:
    results.backends = {name: results.backends[name] for name in chosen}
    assert count(results, monkeypatch) == ([counted] if counted else [])
    assert ("torch's instructions" in results.absent) == (len(chosen) == 2)
    failed = "counting capi: no such instruction" if counted else None
    assert results.absent.get("instructions") == failed


def test_what_slows_a_process_that_samples_ends_the_run(
    results: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = {**interpreter(), "tracing": ["sys.settrace"]}
    timed = ("pattern noop", {"capi": {"binding": "capi", "seconds": [1e-8]}})
    wrong = (WRONG, ["capi: patterns.noop: f() gave 1, not None, after it was timed"])
    monkeypatch.setattr(sampling, "answers", lambda *_, **__: [timed, (INTERPRETER, slow), wrong])
    job = {"folder": "", "rows": ["noop"], "kernels": ["patterns"], "brief": True}
    sampling.take(results, job, sampling.EFFORTS["usual"], lambda detail: None)
    said = " ".join(results.refused)
    assert wrong[1][0] in said
    assert "python, " in said
    assert "sys.settrace slows every call" in said


def test_a_wrong_answer_ends_the_run(bench: Any, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import ffi_cookbook.bindings.python.patterns.scalars as scalars\n"
        "from ffi_cookbook.bindings.python import patterns\n"
        "patterns.add_int = scalars.add_int = lambda a, b: a - b\n"
    )
    run = bench("--only", "python", "--kernel", "patterns")
    assert run.returncode == 2, run.stderr
    assert "wrong: python: patterns.add_int: f(a, b) gave -1000, not 7000" in run.stdout
    assert "ns above" not in run.stdout
    assert not (tmp_path / "bench" / "latest.json").exists()


def test_a_whole_run(bench: Any, tmp_path: Path) -> None:
    arguments = ("--only", "python,numpy", "--kernel", "patterns", "--kernel", "records")
    run = bench(*arguments, "--row", "noop,error", "--save", "first")
    assert run.returncode == 0, run.stdout + run.stderr
    document = json.loads((tmp_path / "bench" / "latest.json").read_text())
    cells, effort = document["cells"], sampling.EFFORTS["usual"]
    assert len(cells["pattern error"]["python"]["seconds"]) == effort.processes
    assert len(cells["records decode"]["python"]["seconds"]) == effort.kernel_processes
    assert "Cost of a call" in (tmp_path / "bench" / "report.html").read_text()
    again = bench(*arguments[:4], "--row", "noop", "--compare", "first")
    assert again.returncode == 0, again.stdout + again.stderr
    assert "Against first" in again.stdout


@pytest.mark.parametrize("fault", ["machine", "file", "folder"])
def test_what_ends_a_run_is_found_before_anything_is_measured(
    results: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, fault: str
) -> None:
    monkeypatch.setattr(command, "measured", lambda *_: pytest.fail("measured"))
    results.machine["processor"] = "Z80"
    saved = tmp_path / "then.json"
    saved.write_text("{" if fault == "file" else json.dumps(storage.as_json(results)))
    options = ["--compare", str(saved)]
    if fault == "folder":
        (tmp_path / "bench").write_text("")
        options = []
    assert command.main(["--folder", str(tmp_path), *options]) == 2
    says = {"machine": "processor: Z80 then,", "file": "is not a saved run", "folder": "exists"}
    assert says[fault] in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--only", "capi,rust"), "rust: choose from python, numpy, capi"),
        (("--publish",), "--publish needs --full"),
        (("--save", "a/b"), "a/b: use letters, digits, -, _ and ."),
    ],
    ids=str,
)
def test_contradictory_options_are_refused(arguments: Any, complaint: str, capsys: Any) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.parse(arguments)
    assert complaint in capsys.readouterr().err


def test_only_and_kernel_take_lists_and_repeats() -> None:
    parse = command.parse
    options = parse(["--only", "pyo3", "--only", "capi,python", "--kernel", "records"])
    assert (options.only, options.kernel) == (["python", "capi", "pyo3"], ["records"])
    assert parse([]).only == list(ffi_cookbook.names())
    assert parse([]).kernel == list(command.KERNELS)


def test_another_package_of_this_name_does_not_hide_the_benchmark(tmp_path: Path) -> None:
    other = tmp_path / "benchmarks"
    other.mkdir()
    (other / "__init__.py").write_text("")
    command = [sys.executable, str(ROOT / "benchmarks"), "run", "--only", "rust"]
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    run = subprocess.run(command, capture_output=True, text=True, env=env)
    assert "rust: choose from python" in run.stderr


def test_costs_for_choosing_have_their_interval() -> None:
    results: Any = storage.read(json.loads(splice.DATA.read_text("utf-8")))
    row = results.cells["pattern add_int"]
    row["pyo3"] = Cell([[2e-8] * 3, [1.5e-8] * 3, [2.7e-8] * 3], binding="pyo3")
    lines = {line.split(" | ")[0]: line for line in splice.choosing(results).splitlines()[2:]}
    assert set(lines) == {f"| `{name}`" for name in NATIVE if name != "python"}
    assert lines["| `pyo3`"].split(" | ")[1].replace("^", "") == "?15 ± 6"  # ^: instructions
    del row["pyo3"]
    (rust,) = [line for line in splice.choosing(results).splitlines() if "pyo3" in line]
    assert rust.split(" | ")[1] == "–"


def test_a_partial_run_is_not_published(
    results: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setattr(splice, "replace", lambda *_: pytest.fail("written"))
    run = tmp_path / "run.json"
    run.write_text(json.dumps(storage.as_json(results)))
    assert splice.main([str(run)]) == 2
    assert "lacks pattern noop through pyo3" in capsys.readouterr().out
    monkeypatch.setattr(splice, "lacking", lambda _: [])
    with pytest.raises((KeyError, TypeError)):  # nothing is written if a text cannot be made
        splice.main([str(run)])


def test_prices_of_another_run_are_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    texts = {tmp_path / "measured.json": "{}", tmp_path / "page.md": "1"}
    monkeypatch.setattr(splice, "stored", lambda: texts)
    for path, text in texts.items():
        path.write_text(text)
    assert splice.main(["--check"]) == 0
    (tmp_path / "measured.json").write_text("[]")
    assert splice.main(["--check"]) == 1
    assert "measured.json differs from the stored run" in capsys.readouterr().out


def test_a_file_is_replaced_and_not_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed package may be hard-linked to the same file."""
    for write in ("pages", "baseline"):
        path, linked = tmp_path / write, tmp_path / f"{write}-linked"
        path.write_text("{}")
        linked.hardlink_to(path)
        if write == "pages":
            monkeypatch.setattr(splice, "stored", lambda path=path: {path: "new"})
            splice.main([])
        else:
            gate.save({}, {}, path)
        assert linked.read_text() == "{}"
        assert path.read_text() != "{}"
