"""The saving of a run: as data under its name, and as a page."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from dataclasses import asdict, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import ROOT
from benchmarks.ledger.results import Cell, Results

LATEST = "latest"
PARTS = [one.name for one in fields(Results) if one.name not in ("wrong", "refused")]


def prepared(folder: Path) -> Path:
    """Make the folder of the reports; raise OSError now, before anything is measured."""
    reports = folder / "bench"
    reports.mkdir(parents=True, exist_ok=True)
    if not os.access(reports, os.W_OK):
        raise PermissionError(f"{reports} cannot be written")
    return reports


def save(results: Results, document: dict[str, Any], folder: Path, name: str) -> list[Path]:
    """Write bench/latest.json, bench/NAME.json and bench/report.html.

    The data go first: they are not lost if the page cannot be made.
    """
    from benchmarks.report.page import html  # imported here, since a comparison needs no page

    reports = prepared(folder)
    paths = [reports / f"{one}.json" for one in dict.fromkeys((LATEST, name))]
    for path in paths:
        path.write_text(json.dumps(document), "utf-8")
    report = reports / "report.html"
    report.write_text(html(results, document), "utf-8")
    return [*paths, report]


def load(name: str, folder: Path) -> dict[str, Any]:
    """Load the run saved under a name, or the one in a file.

    Raises:
        FileNotFoundError: there is none.
        ValueError: the file is not a saved run.
    """
    saved = folder / "bench" / f"{name}.json"
    path = saved if saved.is_file() else Path(name)
    if not path.is_file():
        raise FileNotFoundError(f"no run was saved as {name} in {saved.parent}")
    try:
        document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not a saved run: {error}") from None
    if not isinstance(document, dict) or not document.keys() >= {*PARTS, "datetime"}:
        raise ValueError(f"{path} is not a run of this version of the benchmark")
    return document


def read(document: dict[str, Any]) -> Results:
    """Return the results that a document was made from."""
    results = Results(**{part: document[part] for part in PARTS})
    results.cells = {
        group: {name: Cell(**cell) for name, cell in cells.items()}
        for group, cells in document["cells"].items()
    }
    return results


def as_json(results: Results) -> dict[str, Any]:
    """Return the document: the results, and when and from what they were made."""
    git = ("git", "-C", str(ROOT), "rev-parse", "--short=10", "HEAD")
    commit = subprocess.getoutput(shlex.join(git))
    kept = {part: value for part, value in asdict(results).items() if part in PARTS}
    now = datetime.now(UTC).isoformat()
    return {**kept, "datetime": now, "commit": commit, "floor": results.floor}
