"""The saving of a run: in pytest-benchmark's format, so that its `compare` works, and as a page."""

from __future__ import annotations

import json
import logging
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
from benchmarks.ledger.instructions.counting import DUMPS
from benchmarks.ledger.results import Results
from benchmarks.report.markdown import markdown
from benchmarks.report.page import html
from benchmarks.report.page.history import earlier


def save(results: Results, document: dict[str, Any], options: Namespace) -> list[Path]:
    """Write bench/latest.json and .md, bench/report.html, and the run's file in .benchmarks.

    The data go first: they are not lost if a page cannot be made. The profiles of an earlier run go
    if this run counted nothing.
    """
    folder = options.folder / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    page, data, report = folder / "latest.md", folder / "latest.json", folder / "report.html"
    kept = options.folder / ".benchmarks"
    before = earlier(kept)
    data.write_text(json.dumps(document, indent=1), "utf-8")
    history = FileStorage(kept, logging.getLogger(__name__), default_machine_id=get_machine_id())
    history.save(document, options.save)
    if not results.instructions:
        (folder / DUMPS).unlink(missing_ok=True)
    page.write_text(markdown(results, options.kernel), "utf-8")
    report.write_text(html(document, before), "utf-8")
    return [page, data, report]


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
                    "work": cell.work,
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
        "effort": results.effort,
        "machine": results.machine,
        "backends": results.backends,
        "absent": results.absent,
        "inputs": results.inputs,
        "noise": results.noise,
        "floor": results.floor,
        "instructions": results.instructions,
        "beyond": results.beyond,
        "model": results.model,
    }
