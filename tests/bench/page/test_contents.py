"""The report page is complete, small and self-contained."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import ffi_cookbook
from benchmarks.ledger import rows, storage
from benchmarks.report import ledger
from benchmarks.report.page import saved
from benchmarks.report.page.history import earlier
from support.backends import NATIVE

LIMIT = 400 * 1024


def test_a_full_page_is_small_and_self_contained(whole: str) -> None:
    assert len(whole.encode()) < LIMIT
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]*"|url\((?!#)|@import', whole)


def test_it_says_what_was_measured(whole: str) -> None:
    for name in rows.ALL:
        assert f'<tr id="{name}">' in whole, name
    for name in ffi_cookbook.names():
        assert re.search(rf'<th scope="row">(<[^>]+>)?{name}<', whole), name
    for name in NATIVE:
        card = re.search(rf'<article style="--of: var\(--{name}\)">.*?</article>', whole, re.DOTALL)
        assert card, name
        assert re.search(r"no argument</dt><dd>[~?^]*[<\d.]+ ns <small> ±\d+%<", card[0]), name
    assert "noisy: other processes had 50%" in whole
    assert "tfrecord: No module named" in whole
    assert "nox -s bench<" in whole


def test_a_run_of_one_part_has_a_page_that_says_how_it_was_made(results: Any, html: Any) -> None:
    results.cells.clear()
    results.instructions.clear()
    results.effort = "full"
    text = html(json.loads(json.dumps(storage.as_json(results))))
    assert "nox -s bench -- --full<" in text
    assert "8 processes × 6 rounds" in text


def test_every_sample_is_in_it(data: Any, document: Any) -> None:
    for one in document["benchmarks"]:
        group, name = one["group"], one["param"]
        if group.startswith("pattern "):
            kept = data["rows"][group.removeprefix("pattern ")]["contenders"][name]
        else:
            kept = data["kernels"][group][name]
        for there, here in zip(kept["rounds"], one["extra_info"]["rounds"], strict=True):
            values = [(kept["least"] + value) * kept["unit"] for value in there]
            assert values == pytest.approx(here, rel=0.01)


def test_every_cell_has_its_source(data: Any) -> None:
    for name, row in data["rows"].items():
        for binding in data["columns"]:
            assert data["sources"][binding][row["function"]], (binding, name)


def test_a_page_without_some_parts(html: Any, document: Any) -> None:
    patterns = [one for one in document["benchmarks"] if one["group"].startswith("pattern noop")]
    kernels = [one for one in document["benchmarks"] if one["group"].startswith("matmul")]
    for part in (patterns, kernels):
        page = html({**document, "benchmarks": part, "instructions": {}, "beyond": {}, "model": {}})
        assert ('id="map"' in page) == (part is patterns)
        assert ('id="kernels"' in page) == (part is kernels)


def test_foreign_text_is_escaped(html: Any, document: Any) -> None:
    page = html({**document, "absent": {"</script><b>": "<i>&"}})
    assert "&lt;/script&gt;&lt;b&gt;" in page
    assert page.count("</script>") == 2


def test_every_mark_and_interval_of_the_terminal_is_on_it(html: Any, document: Any) -> None:
    for one in document["benchmarks"]:
        if (one["group"], one["param"]) == ("pattern str_in", "ctypes"):
            one["extra_info"]["rounds"] = [
                [1e-6 * (1 + process / 6) for _ in rounds]
                for process, rounds in enumerate(one["extra_info"]["rounds"])
            ]
        if (one["group"], one["param"]) == ("pattern noop", "cffi"):
            one["extra_info"]["rounds"] = one["extra_info"]["rounds"][:1]
            one["extra_info"]["beside"] = one["extra_info"]["beside"][:1]
    document["beyond"]["ctypes"]["imports"]["cold"] = [0.001]
    page, results = html(document), saved.read(document)
    seen = {}
    for row in rows.ALL:
        (line,) = re.findall(rf'<tr id="{row}">.*?</tr>', page, re.DOTALL)
        cells = re.findall(r'data-marks="([^"]*)"[^>]*title="([^"]*)">([^<]*)<', line)
        for binding, (marks, interval, value) in zip(saved.backends(results), cells, strict=True):
            figure = ledger.cost(results, row, binding, binding)
            assert (marks, value) == (figure.marks, figure.value.replace("<", "&lt;")), (
                row,
                binding,
            )
            assert re.fullmatch(r"[\d.e+]+ – [\d.e+]+", interval), interval
            seen[row, binding] = marks
    assert "?" in seen["str_in", "ctypes"]
    assert "?" in seen["noop", "cffi"]
    assert re.search(r"<th scope=\"row\">ctypes</th>.*?<td>\? 1<", page, re.DOTALL)  # import, once
    assert re.search(r"<td[^>]*>\d+ ±\d+%<", page)


def test_earlier_runs_are_shown(html: Any, document: Any, tmp_path: Path) -> None:
    assert 'id="history"' not in html(document)
    for number, effort in enumerate(("quick", "full")):
        run = {**document, "effort": effort, "datetime": f"2026-01-0{number + 1}T10:00:00"}
        (tmp_path / f"{number}.json").write_text(json.dumps(run), "utf-8")
    (tmp_path / "other.json").write_text("{}", "utf-8")
    (tmp_path / "cut.json").write_text('{"effort": "qu', "utf-8")
    before = earlier(tmp_path)
    assert [run["effort"] for run in before] == ["quick", "full"]
    section = html(document, before).partition('id="history"')[2].partition("</section>")[0]
    assert re.findall(r"<tr><th[^>]*>(\d+ \w+ 2026)", section)[1:] == ["2 Jan 2026", "1 Jan 2026"]
    assert section.count("×<") == 3 * (len(NATIVE) - 1)
