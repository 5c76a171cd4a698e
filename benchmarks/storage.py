"""Saving: pytest-benchmark's format, so that its `compare` works, and a page to read."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest_benchmark
from pytest_benchmark.plugin import pytest_benchmark_generate_machine_info
from pytest_benchmark.storage.file import FileStorage
from pytest_benchmark.utils import get_commit_info, get_machine_id
from report import markdown
from results import Results


def save(results: Results, kernels: list[str], folder: Path) -> list[Path]:
    """Writes bench/latest.json and .md, and one more file into .benchmarks, below the folder."""
    page, data = folder / "bench" / "latest.md", folder / "bench" / "latest.json"
    page.parent.mkdir(parents=True, exist_ok=True)
    document = as_json(results)
    page.write_text(markdown(results, kernels), "utf-8")
    data.write_text(json.dumps(document, indent=1), "utf-8")
    history = FileStorage(
        folder / ".benchmarks", logging.getLogger(__name__), default_machine_id=get_machine_id()
    )
    history.save(document, "bench")
    return [page, data]


def as_json(results: Results) -> dict[str, Any]:
    """The document, with our own facts beside what pytest-benchmark asks for."""
    return {
        "machine_info": pytest_benchmark_generate_machine_info(),
        "commit_info": get_commit_info(),
        "benchmarks": [
            {
                "group": group,
                "name": f"{group} [{name}]",
                "fullname": f"benchmarks::{group}[{name}]",
                "params": {"contestant": name},
                "param": name,
                "extra_info": cell.extra,
                "options": {"disable_gc": True, "timer": "perf_counter_ns"},
                "stats": {**cell.stats().as_dict(), "data": cell.seconds, "iterations": 1},
            }
            for group, contestants in sorted(results.cells.items())
            for name, cell in contestants.items()
        ],
        "datetime": datetime.now(UTC).isoformat(),
        "version": pytest_benchmark.__version__,
        "machine": results.machine,
        "doors": results.doors,
        "absent": results.absent,
        "inputs": results.inputs,
        "noise": results.noise,
    }
