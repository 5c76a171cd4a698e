"""The benchmark's command: wrong answers stop it, and what it shows is complete."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from rich.progress import Progress

import ffi_cookbook
from benchmarks.core.process import WorkerFailed
from benchmarks.ledger import calls, instructions, rows, sampling, storage
from benchmarks.ledger import options as options_module
from benchmarks.ledger import run as order
from benchmarks.ledger.worker import INTERPRETER
from benchmarks.report import beyond, markdown, table, tables, terminal
from benchmarks.trust.interpreter import interpreter

NATIVE = [name for name in ffi_cookbook.names() if name != "numpy"]


def test_pytest_benchmark_compares_what_is_saved(results: Any, tmp_path: Path) -> None:
    for kernels in (["patterns", "matmul", "records", "tokenizer"], ["patterns"]):
        options = SimpleNamespace(kernel=kernels, folder=tmp_path, save="bench")
        storage.save(results, storage.as_json(results), options)
    saved = sorted((tmp_path / ".benchmarks").rglob("*.json"))
    assert [path.name for path in saved] == ["0001_bench.json", "0002_bench.json"]
    compared = subprocess.run(
        [sys.executable, "-m", "pytest_benchmark", "compare", *map(str, saved)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert compared.returncode == 0, compared.stderr
    assert "pattern add_int [capi]" in compared.stdout
    assert "tokenizer line [tiktoken]" in compared.stdout


def test_the_page_names_every_backend_and_what_is_missing(results: Any) -> None:
    page = markdown.markdown(results, list(tables.TABLES))
    sections = {part.split("\n", 1)[0]: part for part in page.split("\n## ")}
    for what in ("Cost of a call", "Instructions of a call"):
        section = next(text for title, text in sections.items() if title.startswith(what))
        heading = next(line for line in section.splitlines() if line.startswith("| |"))
        names = [cell.strip().removesuffix("*") for cell in heading.split("|")[2:-1]]
        assert names == NATIVE
        for row in rows.ALL:
            assert f"\n| {row} |" in section, (what, row)
    for title in ("matmul, GFLOP/s by size", "records, one thread", "Bindings"):
        for name in ffi_cookbook.names():
            assert f"\n| {name} |" in sections[title], (title, name)
    (tokenizer,) = [text for title, text in sections.items() if title.startswith("tokenizer")]
    assert "| | same text, MB/s | same line, µs |" in tokenizer
    assert "| ctypes noop |" in sections["Variants, ns a call"]
    assert "| tiktoken | – | – |" in tokenizer
    assert "pyo3 unavailable: it is not built; to fix it: pip install it" in page
    assert "tfrecord unavailable: No module named 'tfrecord'" in page
    assert "noisy: other processes had 50%" in page


def test_every_table_fits_a_terminal(results: Any) -> None:
    screen = Console(width=100, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    with screen.file:
        kernels = list(tables.TABLES)
        terminal.ledger(results, True, screen)
        terminal.show(results, kernels, True, screen)
        text = screen.export_text()
    assert "…" not in text
    assert all(name in text for name in ffi_cookbook.names())
    assert all(f"\n {row} " in text for row in rows.ALL)


def test_odd_calls_are_named_once_they_are_counted(results: Any) -> None:
    counts, results.instructions = copy.deepcopy(results.instructions), {}
    counts["str_in"]["capi"]["gross"] /= 9
    screen = Console(width=100, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    with screen.file:
        terminal.ledger(results, False, screen)
        assert "need an explanation" not in screen.export_text()
        results.count(counts)
        terminal.show(results, [], True, screen)
        assert "capi str_in 9.0×" in screen.export_text()


def test_by_default_one_screen_of_80_columns_is_printed(results: Any) -> None:
    found = {"measured": {"5%": [190.0, 180.0, 200.0]}, "predicted": {"5%": 190.0}}
    results.model["break_even"] = {
        kernel: dict.fromkeys(("capi", "torch"), found) for kernel in ("matmul", "decode", "encode")
    }
    screen = Console(width=80, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    with screen.file:
        terminal.ledger(results, False, screen)
        terminal.show(results, list(tables.TABLES), False, screen)
        lines = screen.export_text().splitlines()
    text = "\n".join(lines)
    assert len(lines) <= 52, text
    assert "…" not in text
    headed = lines[1] if lines[1].startswith("valid") else lines[2]  # the headline may be folded
    assert headed.startswith("valid: 9 bindings, built as required, with the right answers")
    assert [row for row in rows.ALL if f"\n {row} " in text] == list(rows.HEADLINE)
    assert len(rows.HEADLINE) == 10
    assert len(re.findall(r"\n (?:matmul|decode|encode) ", text)) == 3
    assert "N of two N × N float32 matrices: capi 190, torch 190" in text
    assert "bench/report.html for your own call, or --all" in text


def test_progress_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(transient=True) as progress:
        steps = order.Steps(progress, ["answers", "calls", "kernels"])
        steps.begin("calls", detail=", process 2 of at most 6")
    said = capsys.readouterr().out
    assert "measuring calls, process 2 of at most 6; remaining: kernels" in said


def test_a_count_that_fails_is_named_and_ends_a_run_only_with_a_gate_of_counts(
    results: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any, **options: Any) -> None:
        raise WorkerFailed("counting capi: no such instruction")

    monkeypatch.setattr(instructions, "available", lambda: None)
    monkeypatch.setattr(instructions, "count", fail)
    with Progress(transient=True) as progress:
        steps = order.Steps(progress, [order.COUNTS])
        order._count(options_module.parse([]), results, str(tmp_path), steps)
        assert results.absent["instructions"] == "counting capi: no such instruction"
        gated = options_module.parse(["--compare", "main", "--gate", "instr:1%"])
        with pytest.raises(WorkerFailed, match="no such instruction"):
            order._count(gated, results, str(tmp_path), steps)


def test_what_slows_a_process_that_samples_ends_the_run(
    results: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = {**interpreter(), "timers": ["ITIMER_REAL"]}
    timed = ("pattern noop", {"capi": {"seconds": [1e-8]}})
    monkeypatch.setattr(sampling, "answers", lambda *_, **__: [timed, (INTERPRETER, facts)])
    sampling.take(results, "usual", ["noop"], ["patterns"], "", lambda detail: None)
    assert any(
        one.startswith("python, ") and "signal.ITIMER_REAL interrupts calls" in one
        for one in results.refused
    )


def test_an_import_measured_once_is_uncertain_and_not_the_best(results: Any) -> None:
    figure = beyond._seconds({"imports": {"cold": [0.0025]}}, "cold")
    assert (figure.marks, figure.interval) == ("?", "")
    assert not table.Figure("2.5", best=True, once=True).bold
    assert markdown._marked(figure) == "? 2.5"


def test_wrong_answers_of_a_backend_are_found() -> None:
    good = vars(ffi_cookbook.load("python").patterns)
    assert calls.wrong_answers(SimpleNamespace(patterns=SimpleNamespace(**good))) == []
    bad = {**good, "add_int": lambda a, b: a - b, "error": lambda code: None}
    found = calls.wrong_answers(SimpleNamespace(patterns=SimpleNamespace(**bad)))
    assert "patterns.add_int: f(a, b) gave -1000, not 7000" in found
    assert any(one.startswith("patterns.error: f(a) gave None, not ValueError") for one in found)
    assert len(found) == 2


def test_a_wrong_answer_ends_the_run(bench: Any, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "from ffi_cookbook.bindings.python import patterns\npatterns.add_int = lambda a, b: a - b\n"
    )
    run = bench("--only", "python", "--kernel", "patterns")
    assert run.returncode == 2, run.stderr
    assert "wrong: python: patterns.add_int: f(a, b) gave -1000, not 7000" in run.stdout
    assert "ns above" not in run.stdout
    assert not (tmp_path / "bench").exists()


def test_a_whole_run(bench: Any, tmp_path: Path) -> None:
    arguments = ("--only", "python,numpy", "--kernel", "patterns", "--kernel", "records")
    run = bench(*arguments, "--row", "noop,error", "--save", "first")
    assert run.returncode == 0, run.stdout + run.stderr
    document = json.loads((tmp_path / "bench" / "latest.json").read_text())
    named = {(one["group"], one["param"]) for one in document["benchmarks"]}
    assert {("pattern error", "python"), ("records fixed", "numpy")} <= named
    assert ("records decode", "numpy") not in named
    processes = {one["group"].split()[0]: one["stats"]["rounds"] for one in document["benchmarks"]}
    effort = sampling.EFFORTS["quick"]
    assert processes == {"pattern": effort.processes, "records": effort.kernel_processes}
    assert "Cost of a call" in (tmp_path / "bench" / "latest.md").read_text()
    again = bench(*arguments, "--row", "noop", "--compare", "first", "--gate", "ns:100000%")
    assert again.returncode == 0, again.stdout + again.stderr
    assert "Against first" in again.stdout
    assert "in one run only" in again.stdout
    longer = bench(*arguments, "--compare", "first", effort="--full")
    assert longer.returncode == 2
    assert "effort: quick then, full now" in longer.stdout
    assert "measuring" not in longer.stdout


def test_a_run_of_another_machine_is_refused_before_anything_is_measured(
    bench: Any, results: Any, tmp_path: Path
) -> None:
    results.machine["processor"] = "Z80"
    saved = tmp_path / "then.json"
    saved.write_text(json.dumps(storage.as_json(results)))
    run = bench("--only", "python", "--compare", str(saved))
    assert run.returncode == 2
    assert "processor: Z80 then," in run.stdout
    assert "measuring" not in run.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--only", "capi,rust"), "rust: choose from python, numpy, capi"),
        (("--gate", "instr:1%"), "--gate needs --compare"),
        (("--quick", "--full"), "not allowed with"),
        (("--publish",), "--publish needs a whole run"),  # the fixture adds --quick
        (("--check", "--publish"), "--check times nothing"),
        (("--save", "a/b"), "a/b: use letters, digits, -, _ and ."),
    ],
    ids=str,
)
def test_contradictory_options_are_refused(bench: Any, arguments: Any, complaint: str) -> None:
    run = bench(*arguments)
    assert run.returncode == 2
    assert complaint in run.stderr


def test_only_and_kernel_take_lists_and_repeats() -> None:
    parse = options_module.parse
    options = parse(["--only", "pyo3", "--only", "capi,python", "--kernel", "records"])
    assert options.only == ["python", "capi", "pyo3"]
    assert options.kernel == ["records"]
    assert parse([]).only == list(ffi_cookbook.names())
    assert parse([]).effort == "usual"


def test_a_quick_run_leaves_out_what_is_beyond_the_call_unless_asked() -> None:
    parse = options_module.parse
    assert parse([]).kernel == list(options_module.KERNELS)
    assert parse(["--quick"]).kernel == [one for one in parse([]).kernel if one != "beyond"]
    assert parse(["--quick", "--kernel", "beyond"]).kernel == ["beyond"]


@pytest.mark.parametrize(
    ("arguments", "counted"),
    [
        ((), ["capi", "torch"]),
        (("--quick",), ["capi"]),
        (("--quick", "--only", "torch"), ["torch"]),
        (("--quick", "--save", "before"), ["capi", "torch"]),
        (("--quick", "--compare", "main", "--gate", "instr:1%"), ["capi", "torch"]),
    ],
    ids=str,
)
def test_a_quick_run_does_not_count_torch_unless_asked(
    results: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: Any, counted: Any
) -> None:
    asked: list[list[str]] = []

    def count(backends: list[str], *_: Any, **__: Any) -> None:
        asked.append(backends)
        raise WorkerFailed("enough")

    options = options_module.parse(arguments)
    chosen = [name for name in ("numpy", "capi", "torch") if name in options.only]
    results.backends = {name: results.backends[name] for name in chosen}
    monkeypatch.setattr(instructions, "available", lambda: None)
    monkeypatch.setattr(instructions, "count", count)
    with Progress(transient=True) as progress, suppress(WorkerFailed):
        order._count(options, results, str(tmp_path), order.Steps(progress, [order.COUNTS]))
    assert asked == [counted]
    assert ("torch's instructions" in results.absent) == ("torch" not in counted)
