"""The study of encoders checks ids, begins with fresh processes and reports what was measured."""

from __future__ import annotations

import json
import weakref
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from measured import part, rows

import bindings


@pytest.fixture
def parts() -> dict[str, Any]:
    """Return a run in which tiktoken was half as fast as on the machine of the goals."""
    speeds = {"capi": [400.0, 800.0], "pyo3": [200.0, 800.0], "gigatoken": [200.0, 200.0]}
    yardstick = [9.4, 9.4]
    texts = ("gsm8k", "18 languages", "Python source")
    cells = {
        "gpt2": {
            text: {"speeds": speeds | {"tiktoken": [9.4, 9.4]}, "pieces": 2e5} for text in texts
        }
    }
    ours = {"capi": [2e-3, 2e-3], "pyo3": [5e-3, 5e-3]}
    cases = dict.fromkeys(import_module("encoders.worst").cases(), ours | {"tiktoken": [1.0, 1.0]})
    cases |= {"spaces": ours, "random digits": {name: [60e-3, 60e-3] for name in ours}}
    twice = {"one": [100.0, 100.0], "two": [190.0, 180.0]}
    gaps = {"a sleep": [1e-4, 1e-3], "`bytes`": [2e-3, 3e-3]}
    return {
        "warm": part({"cells": cells, "yardstick": yardstick}),
        "cold": part({
            "first": {"gpt2": {"gsm8k": speeds}, "o200k": {"gsm8k": speeds}},
            "open": {"gpt2": ours},
            "yardstick": yardstick,
        }),
        "worst": part(
            {"times": {"gpt2": cases}, "refused": {"gpt2": ["spaces"]}, "yardstick": yardstick}
        ),
        "words": part({"times": {"capi": [1e-7], "tiktoken": [5e-7]}, "yardstick": yardstick}),
        "lines": part({"speeds": speeds, "lines": 40_000, "yardstick": yardstick}),
        "threads": part({"speeds": {"capi": twice}, "yardstick": yardstick}),
        "memory": part({"capi": {"encoded": 200.0, "grown": 15.5}}),
        "stalls": part({"capi": gaps, "gigatoken": {"a sleep": [1e-4, 1e-4]}}),
    }  # fmt: skip


def shown(parts: dict[str, Any], name: str) -> dict[str, list[str]]:
    return rows(import_module("encoders.pages").shown(parts, name))


def test_a_ratio_is_of_one_round(parts: dict[str, Any]) -> None:
    assert shown(parts, "lines")["gigatoken"] == ["200 (200–200)", "3.00 × (2.50–3.50)"]
    compared = shown(parts, "warm")
    assert compared["as fast"] == ["pyo3 : capi", "capi : gigatoken", "capi : tiktoken"]
    assert compared["gpt2, gsm8k"][:2] == ["0.75 × (0.62–0.88)", "3.00 × (2.50–3.50)"]


def test_a_missing_contender_has_a_dash(parts: dict[str, Any]) -> None:
    speeds = parts["cold"]["found"]["first"]["o200k"]["gsm8k"]
    parts["cold"]["found"]["first"]["o200k"]["gsm8k"] = {"pyo3": speeds["pyo3"]}
    assert shown(parts, "cold")["o200k, gsm8k"] == ["–", "500 (350–650)", "–", "–"]
    assert shown(parts, "stalls")["`bytes`"] == ["2.00, 2.50", "–"]
    worst = shown(parts, "worst")
    assert worst["spaces"] == ["2.00 (2.00–2.00)", "5.00 (5.00–5.00)", "refuses"]
    assert worst["random digits"] == ["60.0 (60.0–60.0)", "60.0 (60.0–60.0)", "–"]


def test_our_figures_stand_without_other_libraries(parts: dict[str, Any]) -> None:
    for cell in parts["warm"]["found"]["cells"]["gpt2"].values():
        cell["speeds"].pop("gigatoken")
    assert shown(parts, "warm")["as fast"] == ["pyo3 : capi", "capi : tiktoken"]
    table = rows(import_module("encoders.goals").reached(parts))
    assert table["warm, beside gigatoken"] == ["≥ 1.00 ×", "≥ 1.00 ×", "–", "–"]


def test_the_worst_is_named(parts: dict[str, Any]) -> None:
    text = import_module("encoders.pages").shown(parts, "worst")
    assert "The worst: `capi` random digits under gpt2, 60.0 ms; `pyo3` random digits" in text


def test_goals_scale_with_the_yardstick(parts: dict[str, Any]) -> None:
    text = import_module("encoders.goals").reached(parts)
    table = rows(text)
    assert table["warm, gsm8k, gpt2"] == ["≥ 700 MB/s", "≥ 350 MB/s", "600 ✓", "500 ✓"]
    assert table["1 MB of anything, cold"] == ["≤ 25.0 ms", "≤ 50.0 ms", "60.0", "60.0"]
    assert table["1 MB of one character, cold"] == ["≤ 2.00 ms", "≤ 4.00 ms", "2.00 ✓", "5.00"]
    assert table["two threads, of one"] == ["≥ 1.85 ×", "≥ 1.85 ×", "1.85 ✓", "–"]
    assert table["how long others wait, a new `str` too"] == ["≤ 1.00 ms", "≤ 1.00 ms", "2.00", "–"]
    assert "18.8 where the goals were set; in the rounds of warm 9.40" in text


def test_goals_are_for_the_text_they_were_set_for(parts: dict[str, Any]) -> None:
    for one in parts.values():
        one["absent"] = {"gsm8k": "COOKBOOK_DATA names no folder"}
    goals = import_module("encoders.goals")
    assert goals.reached(parts).startswith("Not measured.\n")


def test_every_part_can_be_missing(parts: dict[str, Any]) -> None:
    pages, goals = import_module("encoders.pages"), import_module("encoders.goals")
    command = import_module("encoders.command")
    assert pages.TABLES.keys() == command.MEASURES.keys() == parts.keys()
    for name in list(parts):
        assert pages.shown(parts, name) != "Not measured."
        parts[name]["found"] = None
        assert pages.shown(parts, name) == "Not measured."
        goals.reached(parts)
        del parts[name]
        assert pages.shown(parts, name) == "Not measured."
        goals.reached(parts)


def test_parts_are_saved_beside_those_of_other_runs(parts: dict[str, Any], tmp_path: Path) -> None:
    findings, path = import_module("findings"), tmp_path / "measured.json"
    findings.keep(path, {"warm": parts["warm"], "cold": parts["cold"]})
    findings.keep(path, {"cold": part("new", {})})
    found = findings.read(path)
    assert found["warm"]["found"] == parts["warm"]["found"]
    assert found["cold"]["found"] == "new"
    assert findings.about(found) == [
        "Z80, 2 cores; Python 3.11.7, tiktoken 0.14.0.",
        "HF tokenizers is absent: it is not installed. (warm)",
    ]


def test_first_calls_have_new_encoders_that_stay_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    living: list[Any] = []

    class Encoder:
        def __call__(self, text: str) -> int:
            assert self not in [one() for one in living]
            living.append(weakref.ref(self))
            assert all(one() for one in living), "one was given back"
            return len(text)

    bench = import_module("encoders.bench")
    yardstick = bench.Yardstick(len, "text")
    of = SimpleNamespace(rounds=3, yardstick=yardstick)
    times, beside = import_module("encoders.cold").first_calls(of, {"one": Encoder}, "text")
    assert len(living) == len(times["one"]) == len(beside) == 3


def test_distinct_words_are_distinct() -> None:
    memory = import_module("encoders.memory")
    chunks = list(memory.words(2 * len(memory.WIDTHS)))
    words = [word for chunk in chunks for word in chunk.split()]
    assert len({word[:9] for word in words}) == len(words) > 500_000
    assert {len(word) for word in words} == set(memory.WIDTHS)


class Liar:
    """A binding whose batches end with a wrong id."""

    @staticmethod
    def Tokenizer(model: Any) -> Any:
        tokenizer = bindings.load("capi").Tokenizer(model)

        def encode_batch(texts: list[str], threads: int = 1) -> Any:
            ids, offsets = tokenizer.encode_batch(texts, threads)
            ids[-1] ^= 1
            return ids, offsets

        return SimpleNamespace(encode_batch=encode_batch)


@pytest.mark.parametrize("lies", [False, True])
def test_wrong_results_are_not_saved(
    lies: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COOKBOOK_DATA", raising=False)
    pages, findings = import_module("encoders.pages"), import_module("findings")
    page = "".join(
        f"<!-- {name}: begin (by nox) -->\n<!-- {name}: end -->\n"
        for name in (*pages.TABLES, "goals", "about")
    )
    (tmp_path / "page.md").write_text(page, "utf-8")
    monkeypatch.setattr(pages, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(pages, "DATA", tmp_path / "measured.json")
    if lies:
        monkeypatch.setattr(findings, "opened", lambda names: ({"capi": Liar}, {}))
    arguments = ["--only", "lines", "--rounds", "2", "--backends", "capi", "--keep"]
    left = import_module("encoders.command").main([*arguments, "--without", "gigatoken"])
    assert left == (2 if lies else 0)
    assert pages.DATA.exists() is not lies
    if not lies:
        found = json.loads(pages.DATA.read_text("utf-8"))["lines"]
        assert found["absent"]["gigatoken"] == "it was left out"
        assert "gsm8k" in found["absent"]
        assert {"capi", "tiktoken"} <= found["found"]["speeds"].keys()
        assert "| capi | " in pages.PAGE.read_text("utf-8")


def test_a_wrong_contender_is_left_out() -> None:
    bench = import_module("encoders.bench").Bench({}, [], {})
    assert bench.right("gigatoken", np.array([1, 2]), np.array([1, 2]), "here")
    assert not bench.right("gigatoken", np.array([1, 3]), np.array([1, 2]), "there")
    assert bench.wrong == {"gigatoken": "it gave other ids than tiktoken: there"}
    assert not bench.takes_part("gigatoken")
    assert not bench.right("gigatoken", np.array([1, 2]), np.array([1, 2]), "once more")


def test_the_page_says_what_was_measured() -> None:
    for path, text in import_module("encoders.pages").written().items():
        assert path.read_text("utf-8") == text, "run: python benchmarks/splice.py"
