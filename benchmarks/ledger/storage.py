"""The saving of a run: in pytest-benchmark's format, so that its `compare` works, and as a page."""

from __future__ import annotations

import json
import logging
from argparse import Namespace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest_benchmark
from pytest_benchmark.plugin import pytest_benchmark_generate_machine_info
from pytest_benchmark.storage.file import FileStorage
from pytest_benchmark.utils import get_commit_info, get_machine_id

from benchmarks.core.bootstrap import Rounds, quiet
from benchmarks.ledger.results import Results
from benchmarks.report.markdown import markdown
from benchmarks.report.page import html
from benchmarks.report.page.history import earlier


def save(results: Results, document: dict[str, Any], options: Namespace) -> list[Path]:
    """Write bench/latest.json and .md, bench/report.html, and the run's file in .benchmarks."""
    folder = options.folder / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    page, data = folder / "latest.md", folder / "latest.json"
    page.write_text(markdown(results, options.kernel), "utf-8")
    data.write_text(json.dumps(document, indent=1), "utf-8")
    report = folder / "report.html"
    kept = options.folder / ".benchmarks"
    report.write_text(html(document, earlier(kept)), "utf-8")
    history = FileStorage(kept, logging.getLogger(__name__), default_machine_id=get_machine_id())
    history.save(document, options.save)
    return [page, data, report]


def as_json(results: Results) -> dict[str, Any]:
    """Return the document, with our facts beside the fields of pytest-benchmark's format."""
    return {
        "machine_info": pytest_benchmark_generate_machine_info(),
        "commit_info": get_commit_info(),
        "benchmarks": [
            {
                "group": group,
                "name": f"{group} [{name}]",
                "fullname": f"benchmarks::{group}[{name}]",
                "params": {"contender": name},
                "param": name,
                "extra_info": {
                    "work": cell.work,
                    "rounds": rounded(cell.seconds),
                    "beside": rounded(cell.beside) if cell.beside else None,
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


def rounded(samples: Rounds) -> Rounds:
    """Round each sample to four digits, its precision."""
    return [[float(f"{one:.4g}") for one in rounds] for rounds in samples]
