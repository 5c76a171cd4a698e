"""The study of the tokenizer checks ids, begins with fresh encoders and shows what was measured."""

from __future__ import annotations

import weakref
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchmarks.studies.tokenizer import STUDY, cold, memory, worst
from benchmarks.studies.tokenizer.bench import Bench, Yardstick
from support.saved_figures import part, rows


def goals(parts: dict[str, Any]) -> str:
    return STUDY.marks(parts)["goals"]


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
    cases = dict.fromkeys(worst.cases(), ours | {"tiktoken": [1.0, 1.0]})
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
    return rows(STUDY.shown(parts, name))


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
    table = rows(goals(parts))
    assert table["warm, beside gigatoken"] == ["≥ 1.00 ×", "≥ 1.00 ×", "–", "–"]


def test_the_worst_is_named(parts: dict[str, Any]) -> None:
    text = STUDY.shown(parts, "worst")
    assert "The worst: `capi` random digits under gpt2, 60.0 ms; `pyo3` random digits" in text


def test_goals_scale_with_the_yardstick(parts: dict[str, Any]) -> None:
    text = goals(parts)
    table = rows(text)
    assert table["warm, gsm8k, gpt2"] == ["≥ 700 MB/s", "≥ 350 MB/s", "600 ✓", "500 ✓"]
    assert table["1 MB of anything, cold"] == ["≤ 25.0 ms", "≤ 50.0 ms", "60.0", "60.0"]
    assert table["1 MB of one character, cold"] == ["≤ 2.00 ms", "≤ 4.00 ms", "2.00 ✓", "5.00"]
    assert table["two threads, of one"] == ["≥ 1.85 ×", "≥ 1.85 ×", "1.85 ✓", "–"]
    waits = table["longest wait of others, with a new `str`"]
    assert waits == ["≤ 1.00 ms", "≤ 1.00 ms", "2.00", "–"]
    assert "18.8 where the goals were set; in the rounds of the parts: warm 9.40" in text


def test_goals_are_for_the_text_they_were_set_for(parts: dict[str, Any]) -> None:
    for one in parts.values():
        one["absent"] = {"gsm8k": "COOKBOOK_DATA names no folder"}
    assert goals(parts).startswith("Not measured.\n")


def test_every_part_can_be_missing(parts: dict[str, Any]) -> None:
    assert STUDY.parts.keys() == parts.keys()
    for name in list(parts):
        assert STUDY.shown(parts, name) != "Not measured."
        parts[name]["found"] = None
        assert STUDY.shown(parts, name) == "Not measured."
        goals(parts)
        del parts[name]
        assert STUDY.shown(parts, name) == "Not measured."
        goals(parts)


def test_first_calls_have_new_encoders_that_stay_alive() -> None:
    living: list[Any] = []

    class Encoder:
        def __call__(self, text: str) -> int:
            assert self not in [one() for one in living]
            living.append(weakref.ref(self))
            assert all(one() for one in living), "one was given back"
            return len(text)

    of: Any = SimpleNamespace(rounds=3, yardstick=Yardstick(len, "text"))
    times, beside = cold.first_calls(of, {"one": Encoder}, "text")
    assert len(living) == len(times["one"]) == len(beside) == 3


def test_distinct_words_are_distinct() -> None:
    chunks = list(memory.words(2 * len(memory.WIDTHS)))
    words = [word for chunk in chunks for word in chunk.split()]
    assert len({word[:9] for word in words}) == len(words) > 500_000
    assert {len(word) for word in words} == set(memory.WIDTHS)


def test_a_wrong_contender_is_left_out(tmp_path: Path) -> None:
    bench = Bench({}, tmp_path)
    assert bench.same("gigatoken", np.array([1, 2]), np.array([1, 2]), "here")
    assert not bench.same("gigatoken", np.array([1, 3]), np.array([1, 2]), "there")
    assert bench.wrong == {"gigatoken": "it gave other ids than tiktoken: there"}
    assert not bench.same("gigatoken", np.array([1, 2]), np.array([1, 2]), "once more")
