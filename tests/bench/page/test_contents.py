"""The report page is complete, small and self-contained."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from backends import NATIVE

import bindings
from benchmarks.ledger import rows, storage
from benchmarks.report import ledger
from benchmarks.report.page import saved

LIMIT = 400 * 1024


def test_a_full_page_is_small_and_self_contained(whole: str) -> None:
    assert len(whole.encode()) < LIMIT
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]*"|url\((?!#)|@import', whole)


def test_it_says_what_was_measured(whole: str) -> None:
    text = " ".join(re.sub(r"<[^>]+>", "", whole).split())
    cost = r"(\d+) ns \((\d+)–(\d+)\) through (\w+)"
    said = re.search(rf"A call costs {cost} and {cost}", text)
    assert said
    assert 5 <= int(said[2]) <= int(said[1]) <= int(said[3]) < 100
    assert 400 < int(said[6]) <= int(said[5]) <= int(said[7]) < 1100
    assert {said[4], said[8]} < set(NATIVE)
    for name in rows.ALL:
        assert f'<tr id="{name}">' in whole, name
    for name in bindings.names():
        assert re.search(rf'<th scope="row">(<[^>]+>)?{name}<', whole), name
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
                [time * (1 + process) for time in rounds]
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
    bar = re.search(r"Import, cold.*?</table>", page, re.DOTALL)
    assert bar
    assert re.search(r'<tr><th scope="row">ctypes</th><td[^>]*>\?1<', bar[0])  # not the best
    assert re.search(r"<td[^>]*>\d+ ±\d+%<", page)
