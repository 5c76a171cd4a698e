"""The saving of a run: in pytest-benchmark's format, so that its `compare` works, and as a page."""

from __future__ import annotations

import json
import logging
import os
import re
from argparse import Namespace
from contextlib import chdir
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest_benchmark
from pytest_benchmark.plugin import pytest_benchmark_generate_machine_info
from pytest_benchmark.storage.file import FileStorage
from pytest_benchmark.utils import get_commit_info, get_machine_id

from benchmarks import ROOT
from benchmarks.core.bootstrap import quiet
from benchmarks.ledger.results import Cell, Results

PARTS = (
    "effort",
    "machine",
    "backends",
    "absent",
    "inputs",
    "noise",
    "instructions",
    "beyond",
    "model",
)
"""The fields of Results that are stored as they are."""
FACTS = ("work", "binding", "variant", "apart")
"""The fields of a cell that are stored beside its samples."""


def prepared(folder: Path) -> Path:
    """Make the folder of the reports; raise OSError now, before anything is measured."""
    reports = folder / "bench"
    reports.mkdir(parents=True, exist_ok=True)
    if not os.access(reports, os.W_OK):
        raise PermissionError(f"{reports} cannot be written")
    return reports


def save(results: Results, document: dict[str, Any], options: Namespace) -> list[Path]:
    """Write bench/latest.json, bench/report.html, and the run's file in .benchmarks.

    The data go first: they are not lost if the page cannot be made.
    """
    from benchmarks.report.page import html  # imported here, since a comparison needs no page

    folder = prepared(options.folder)
    data, report = folder / "latest.json", folder / "report.html"
    data.write_text(json.dumps(document, indent=1), "utf-8")
    kept, log = options.folder / ".benchmarks", logging.getLogger(__name__)
    FileStorage(kept, log, default_machine_id=get_machine_id()).save(document, options.save)
    report.write_text(html(results, document), "utf-8")
    return [data, report]


def load(name: str, folder: Path) -> dict[str, Any]:
    """Load the last run saved under a name, or the one in a file.

    Raises:
        FileNotFoundError: there is none.
        ValueError: the file is not a saved run.
    """
    named = re.compile(rf"\d+_{re.escape(name)}\.json")
    paths = (path for path in folder.glob(".benchmarks/*/*.json") if named.fullmatch(path.name))
    saved = sorted(paths, key=lambda path: path.name)
    path = saved[-1] if saved else Path(name)
    if not path.is_file():
        raise FileNotFoundError(f"no run was saved as {name} in {folder / '.benchmarks'}")
    try:
        document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not a saved run: {error}") from None
    whole = isinstance(document, dict) and document.keys() >= {*PARTS, "benchmarks"}
    if not whole or not all(one["extra_info"].keys() >= {*FACTS} for one in document["benchmarks"]):
        raise ValueError(f"{path} is not a run of this version of the benchmark")
    return document


def read(document: dict[str, Any]) -> Results:
    """Return the results that a document was made from."""
    results = Results(**{part: document[part] for part in PARTS})
    for one in document["benchmarks"]:
        extra = one["extra_info"]
        cell = Cell(extra["rounds"], extra["beside"], **{fact: extra[fact] for fact in FACTS})
        results.cells.setdefault(one["group"], {})[one["param"]] = cell
    return results


def as_json(results: Results) -> dict[str, Any]:
    """Return the document, with our facts beside the fields of pytest-benchmark's format."""
    with chdir(ROOT):
        commit = get_commit_info()
    return {
        "machine_info": pytest_benchmark_generate_machine_info(),
        "commit_info": commit,
        "benchmarks": [
            {
                "group": group,
                "name": f"{group} [{name}]",
                "fullname": f"benchmarks::{group}[{name}]",
                "params": {"contender": name},
                "param": name,
                "extra_info": {
                    **{fact: getattr(cell, fact) for fact in FACTS},
                    "rounds": cell.seconds,
                    "beside": cell.beside,
                },
                "options": {"disable_gc": True, "timer": "perf_counter_ns"},
                "stats": {
                    **cell.stats().as_dict(),
                    "data": quiet(cell.seconds, cell.beside),
                    "iterations": 1,
                },
            }
            for group, contenders in sorted(results.cells.items())
            for name, cell in contenders.items()
        ],
        "datetime": datetime.now(UTC).isoformat(),
        "version": pytest_benchmark.__version__,
        "floor": results.floor,
        **{part: getattr(results, part) for part in PARTS},
    }
