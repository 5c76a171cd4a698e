"""A whole run is published: every page is made from it, and then written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.docs import splice
from benchmarks.ledger.model import costs
from benchmarks.report.page import saved


@pytest.fixture
def run(document: dict[str, Any], tmp_path: Path) -> Path:
    """Return the file of a whole run."""
    del document["beyond"]["numpy"]["allocations"]  # it has no calls of its own
    prices = costs.model(saved.read(document))
    path = tmp_path / "run.json"
    whole = {**document, "effort": "usual", "model": {**document["model"], **prices}}
    path.write_text(json.dumps(whole), "utf-8")
    return path


def test_a_whole_run_is_published(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages: dict[Path, str] = {}
    monkeypatch.setattr(splice, "replace", pages.__setitem__)
    monkeypatch.setattr(costs, "replace", pages.__setitem__)
    assert splice.main([str(run)]) == 0
    assert {splice.DATA, splice.README, splice.CHOOSING, costs.MEASURED} <= {*pages}
    assert costs.MEASURED == splice.PRICES
    machine = json.loads(run.read_text("utf-8"))["machine"]["processor"]
    assert machine in pages[splice.README]
    assert json.loads(pages[splice.DATA])["cells"]["pattern noop"]["capi"]["seconds"] > 0


def test_a_cell_that_is_missing_is_named(run: Path) -> None:
    document = json.loads(run.read_text("utf-8"))
    assert splice.lacking(document) == []
    document["benchmarks"] = [
        one
        for one in document["benchmarks"]
        if (one["group"], one["param"]) != ("pattern noop", "capi")
    ]
    assert splice.lacking(document) == ["pattern noop through capi"]
    assert splice.lacking({**document, "effort": "quick"})[0] == ("samples of a usual or full run")
