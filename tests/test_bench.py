"""The bench: what it saves can be compared, what it shows is complete, what is wrong stops it."""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import bindings

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
NATIVE = [name for name in bindings.names() if name != "numpy"]


@pytest.fixture(autouse=True)
def flat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules of the bench import each other by their bare names."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))


@pytest.fixture
def results() -> Any:
    """A run of three processes in which pyo3 was shut."""
    made = import_module("results").Results(
        machine=import_module("machine").facts(),
        noise={"load": 0.5, "others": 0.5},
        inputs={"records": "records of some kind", "tokenizer": "a text of some kind"},
        absent={"tfrecord": "No module named 'tfrecord'"},
    )
    about = {"technology": "T 1.0", "compiler": "gcc", "kernel": "C", "isa": "avx2"}
    for name in bindings.names():
        made.doors[name] = {"about": about, "files": []}
    made.doors["pyo3"] = {"reason": "it is not built", "remedy": "pip install it"}
    names = [name for name in made.open_doors if name != "numpy"]
    for group, contestants in groups(names):
        for seconds in (3e-9, 1e-9, 2e-9):
            made.add(group, {name: {"seconds": seconds, "work": 4.0} for name in contestants})
    return made


def groups(doors: list[str]) -> Iterator[tuple[str, list[str]]]:
    for probe in import_module("calls").PROBES:
        yield f"probe {probe}", doors
    for size in import_module("kernels").SIZES:
        yield f"matmul {size}", [*doors, "numpy", "np.matmul"]
    yield "matmul peak", ["FMA peak"]
    for job in ("index", "decode", "fixed"):
        yield f"records {job}", [*doors, "struct", "protobuf"]
    for job in ("text", "line"):
        yield f"tokenizer {job}", [*doors, "tiktoken", "HF tokenizers"]


def test_median_and_spread() -> None:
    cell = import_module("results").Cell()
    for seconds in (7.0, 1.0, 3.0, 5.0, 9.0):
        cell.add({"seconds": seconds, "work": 10.0})
    assert cell.median == 5.0
    assert cell.rate == 2.0
    assert cell.stats().q1 == 2.5
    assert cell.stats().q3 == 7.5
    assert cell.spread == 0.5


def test_a_loop_runs_whole_rows_of_its_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = import_module("clock")
    monkeypatch.setattr(clock, "SHORT", math.inf)
    monkeypatch.setattr(clock, "LONG", 0.0)
    seen: list[int] = []
    times = clock.interleaved(
        {"append": clock.Timed("f(x)", {"f": seen.append, "x": 7})}, 3, 1e-4, random.Random()
    )
    assert times["append"] > 0
    assert set(seen) == {7}
    assert len(seen) % clock.UNROLLED == 2  # two before the row: how long is it?


def test_pytest_benchmark_compares_what_is_saved(results: Any, tmp_path: Path) -> None:
    storage = import_module("storage")
    storage.save(results, ["probes", "matmul", "records", "tokenizer"], tmp_path)
    storage.save(results, ["probes"], tmp_path)
    saved = sorted((tmp_path / ".benchmarks").rglob("*.json"))
    assert [path.name for path in saved] == ["0001_bench.json", "0002_bench.json"]
    compared = subprocess.run(
        [sys.executable, "-m", "pytest_benchmark", "compare", *map(str, saved)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert compared.returncode == 0, compared.stderr
    assert "probe add_int [capi]" in compared.stdout
    assert "tokenizer line [tiktoken]" in compared.stdout


def test_the_page_names_every_door_and_what_is_missing(results: Any) -> None:
    report = import_module("report")
    page = report.markdown(results, list(import_module("tables").TABLES))
    sections = {part.split("\n", 1)[0]: part for part in page.split("\n## ")}
    probes = next(text for title, text in sections.items() if title.startswith("Cost of a call"))
    heading = next(line for line in probes.splitlines() if line.startswith("| |"))
    assert [cell.strip() for cell in heading.split("|")[2:-1]] == NATIVE
    for title in ("matmul, GFLOP/s by size", "records, one thread", "Doors"):
        for name in bindings.names():
            assert f"\n| {name} |" in sections[title], (title, name)
    assert "| tiktoken | **" in sections["tokenizer, one thread"]
    assert "pyo3 unavailable: it is not built; to mend it: pip install it" in page
    assert "tfrecord unavailable: No module named 'tfrecord'" in page
    assert "noisy: other processes had 50%" in page


def test_every_table_fits_a_terminal(results: Any) -> None:
    report, console = import_module("report"), import_module("rich.console")
    screen = console.Console(width=100, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    with screen.file:
        report.show(results, list(import_module("tables").TABLES), screen)
        text = screen.export_text()
    assert "…" not in text
    assert all(name in text for name in bindings.names())


def test_wrong_answers_of_a_door_are_found() -> None:
    good = bindings.load("python")
    names = {name: getattr(good.probes, name) for name in import_module("calls").PROBES}
    assert (
        import_module("calls").wrong_answers(SimpleNamespace(probes=SimpleNamespace(**names))) == []
    )
    names["add_int"] = lambda a, b: a - b
    names["error"] = lambda code: None
    (first, second) = import_module("calls").wrong_answers(
        SimpleNamespace(probes=SimpleNamespace(**names))
    )
    assert first == "probes.add_int: f(a, b) gave -1, not 7"
    assert second.startswith("probes.error: f(code) gave None, not ValueError")


def bench(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    return subprocess.run(
        [sys.executable, str(BENCHMARKS), "--quick", "--folder", str(tmp_path), *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )


def test_a_wrong_answer_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import bindings.python.probes as probes\nprobes.add_int = lambda a, b: a - b\n"
    )
    run = bench(tmp_path, "--only", "python", "--kernel", "probes")
    assert run.returncode == 1, run.stderr
    assert "wrong: python: probes.add_int: f(a, b) gave -1, not 7" in run.stdout
    assert "ns above" not in run.stdout
    assert not (tmp_path / "bench").exists()


def test_a_whole_run(tmp_path: Path) -> None:
    run = bench(tmp_path, "--only", "python,numpy", "--kernel", "probes", "--kernel", "records")
    assert run.returncode == 0, run.stdout + run.stderr
    document = json.loads((tmp_path / "bench" / "latest.json").read_text())
    named = {(one["group"], one["param"]) for one in document["benchmarks"]}
    assert {("probe error", "python"), ("records fixed", "numpy")} <= named
    assert ("records decode", "numpy") not in named
    assert all(one["stats"]["rounds"] == 3 for one in document["benchmarks"])
    assert "Cost of a call" in (tmp_path / "bench" / "latest.md").read_text()


def test_an_unknown_door_is_refused(tmp_path: Path) -> None:
    run = bench(tmp_path, "--only", "capi,rust")
    assert run.returncode == 2
    assert "rust: choose from python, numpy, capi" in run.stderr


def test_only_and_kernel_take_lists_and_repeats() -> None:
    main: ModuleType = load_main()
    options = main.parse(["--only", "pyo3", "--only", "capi,python", "--kernel", "records"])
    assert options.only == ["python", "capi", "pyo3"]
    assert options.kernel == ["records"]
    assert main.parse([]).only == list(bindings.names())


def load_main() -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("bench_main", BENCHMARKS / "__main__.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
