"""A study keeps what is right, names what is wrong or absent, and writes its page from its file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import study
from benchmarks.core import process
from benchmarks.studies import studies
from benchmarks.study import Goal, Part, Setting, Study, about, reached
from support.saved_figures import part

UNTRUSTED = study.untrusted


def _measure(setting: Setting) -> Any:
    setting.load("lib", lambda: 1)
    setting.load("other", _missing)
    right = setting.right("capi", setting.full, "its sum is off")
    calls = {"capi": (lambda: None, 2.0)} if right else {}
    return {"speeds": setting.speeds(calls, slice_s=1e-5)}


def _show(found: Any, names: list[str]) -> str:
    return f"{names} {len(found['speeds'])}"


def _missing() -> Any:
    raise ImportError("No module named 'other'")


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.setattr(study, "DOCS", tmp_path)
    monkeypatch.setattr(study, "untrusted", lambda names: [])
    names = ("speed", "rest", "about", "goals")
    page = "".join(f"<!-- {name}: begin -->\n<!-- {name}: end -->\n" for name in names)
    (tmp_path / "page.md").write_text(page, "utf-8")
    goal = Goal("fast", "speed", 0, "/s", lambda found, name: [found["speeds"][name]])
    parts = {"speed": Part("how fast", _measure, _show), "rest": Part("no", lambda _: None, _show)}
    return Study("made", "?", "page", parts, ("capi", "ctypes"), (goal,))


def test_what_is_right_is_kept_and_shown(made: Study, capsys: pytest.CaptureFixture[str]) -> None:
    assert made.main(["--full", "--rounds", "2", "--backends", "capi", "--publish"]) == 0
    said = capsys.readouterr().out
    assert "speed: how fast\n['capi'] 1\n" in said
    assert "rest: no\nNot measured.\n" in said
    stored = made.read()
    assert stored["speed"]["absent"] == {"other": "No module named 'other'"}
    assert len(stored["speed"]["found"]["speeds"]["capi"]) == 2
    assert stored["rest"]["absent"] == {}, "who is absent from one part may be in another"
    page = (made.data.parent / "page.md").read_text("utf-8")
    assert "<!-- speed: begin -->\n['capi'] 1\n<!-- speed: end -->" in page
    assert "| fast | ≥ 0.000/s | " in page
    assert "other is absent: No module named 'other'. (speed)" in page


def test_what_is_wrong_is_not_kept(made: Study, capsys: pytest.CaptureFixture[str]) -> None:
    assert made.main(["--rounds", "2", "--backends", "capi", "--publish"]) == 2
    assert "wrong: capi: its sum is off\nWrong results are not stored." in capsys.readouterr().out
    assert not made.data.exists()


def test_figures_of_a_build_that_is_refused_are_not_stored(
    made: Study, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(study, "untrusted", UNTRUSTED)
    monkeypatch.setitem(process.INHERITED, "PYTHONMALLOC", "debug")
    assert made.main(["--backends", "capi", "--publish"]) == 2
    said = capsys.readouterr().out
    assert "refused: capi: PYTHONMALLOC=debug changes" in said
    assert "speed: how fast" not in said
    assert not made.data.exists()


def test_a_library_may_be_wrong(made: Study) -> None:
    other = replace(made, libraries=("capi",))
    assert other.main(["--rounds", "2", "--backends", "capi", "--publish"]) == 0
    assert other.read()["speed"]["absent"]["capi"] == "its sum is off"


def test_a_study_says_what_it_needs(made: Study, capsys: pytest.CaptureFixture[str]) -> None:
    def needs(setting: Setting) -> Setting:
        raise ImportError("tiktoken is not installed")

    with pytest.raises(SystemExit) as ended:
        replace(made, open=needs).main(["--backends", "capi"])
    assert ended.value.code == 2
    assert "tiktoken is not installed" in capsys.readouterr().err


def test_parts_are_kept_beside_those_of_other_runs(made: Study) -> None:
    made.store({"speed": part({"speeds": {}}), "rest": part(None)})
    made.store({"rest": part({"speeds": {"capi": [1.0]}}, {})})
    stored = made.read()
    assert stored["speed"]["found"] == {"speeds": {}}
    assert stored["rest"]["found"] == {"speeds": {"capi": [1.0]}}
    assert about(stored) == [
        "Z80, 2 cores; Python 3.11.7, tiktoken 0.14.0.",
        "HF tokenizers is absent: it is not installed. (speed)",
    ]


def test_goals_are_of_the_worst_case() -> None:
    cases = {"capi": [[3.0, 5.0], [2.0, 2.0]], "pyo3": []}
    goals = [
        Goal("most", "x", 3, " s", lambda found, name: cases[name], least=False),
        Goal("least", "x", 2, " s", lambda found, name: cases[name], here=lambda found: 0.5),
    ]
    lines = reached(goals, {"x": part({"any": 1})}).splitlines()
    assert lines[2:] == [
        "| most | ≤ 3.00 s | ≤ 3.00 s | 4.00 | – |",
        "| least | ≥ 2.00 s | ≥ 1.00 s | 2.00 ✓ | – |",
    ]


@pytest.mark.parametrize("one", studies(), ids=lambda one: one.name)
def test_the_page_says_what_was_measured(one: Study) -> None:
    for path, text in one.written().items():
        assert path.read_text("utf-8") == text, "run: python benchmarks pages"
    stored = json.loads(one.data.read_text("utf-8"))
    assert stored.keys() <= one.parts.keys()  # the page says what was not measured
