"""A study keeps what is right, and names what is wrong or absent; its page has its figures."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ffi_cookbook
from benchmarks import ROOT
from benchmarks.core import process
from studies import NAMES, study
from studies.experts import common, ways
from studies.extensions import build
from studies.matmul import steps
from studies.statements import costs
from studies.study import Part, Setting, Study
from support.backends import needs

UNTRUSTED = study.untrusted


def _measure(setting: Setting) -> Any:
    setting.load("other", _missing)
    right = setting.right("capi", "right" in setting.backends, "its sum is off")
    return {"speeds": setting.speeds({"capi": (lambda: None, 2.0)} if right else {}, 1e-5)}


def _missing() -> Any:
    raise ImportError("No module named 'other'")


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.setattr(study, "DOCS", tmp_path)
    monkeypatch.setattr(study, "untrusted", lambda names: [])
    page = "".join(f"<!-- {name}: begin -->\n<!-- {name}: end -->\n" for name in ("speed", "about"))
    (tmp_path / "page.md").write_text(page, "utf-8")
    part = Part("how fast", _measure, lambda found, names: f"{len(found['speeds'])} measured")
    return Study("made", "?", "page", {"speed": part}, ("capi", "ctypes"))


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return Setting({"capi": ffi_cookbook.load("capi")}, tmp_path, rounds=2)


def test_what_is_wrong_is_not_stored(made: Study, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--rounds", "2", "--backends", "capi", "--publish"]
    assert made.main(command) == 2
    assert "wrong: capi: its sum is off\nWrong results are not stored." in capsys.readouterr().out
    assert not made.data.exists()
    assert replace(made, libraries=("capi",)).main(command) == 0  # a library may be wrong
    absent = {"other": "No module named 'other'", "capi": "its sum is off"}
    assert made.read()["speed"]["absent"] == absent
    page = (made.data.parent / "page.md").read_text("utf-8")
    assert "<!-- speed: begin -->\n0 measured\n" in page
    assert "other is absent: No module named 'other'." in page


def test_figures_of_a_build_that_is_refused_are_not_stored(
    made: Study, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(study, "untrusted", UNTRUSTED)
    monkeypatch.setitem(process.INHERITED, "PYTHONMALLOC", "debug")
    assert made.main(["--backends", "capi", "--publish"]) == 2
    assert "refused: capi: PYTHONMALLOC=debug changes" in capsys.readouterr().out
    assert not made.data.exists()


@pytest.mark.parametrize("name", NAMES)
def test_the_page_says_what_was_measured(name: str) -> None:
    one = import_module(f"studies.{name}").STUDY
    for path, text in one.written().items():
        assert path.read_text("utf-8") == text, "run: python -m studies pages"
    assert json.loads(one.data.read_text("utf-8")).keys() <= one.parts.keys()


def test_every_step_of_the_ladder_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = steps.steps()
    assert [path.name[0] for path in dict.fromkeys(one.source for one in found)] == [*"1234567"]
    for step in found:
        matmul = steps.compiled(step, tmp_path)
        for threads in ("1", "3") if "threads" in step.name else ("1",):
            monkeypatch.setenv("LADDER_THREADS", threads)
            assert steps.complaints(matmul) == [], step.name


def test_wrong_products_are_found() -> None:
    def off(a: Any, b: Any, out: Any) -> None:
        np.matmul(a, b, out=out)
        out *= np.float32(1.001)

    def beyond(a: Any, b: Any, out: Any) -> None:
        np.matmul(a, b, out=out)
        out.base[-1] = 0

    assert "3x5 @ 5x7: beyond the error bound" in steps.complaints(off)
    assert "3x5 @ 5x7: written outside the result" in steps.complaints(beyond)


LOADERS = """
import sys
from pathlib import Path
sys.path.append(sys.argv[1])
from studies.records import loaders
from studies.study import Setting

loaders.SAMPLES = loaders.FEW = 600
setting = Setting({}, Path(sys.argv[2]))
calls = [loaders.loaders(setting, 64, shuffled) for shuffled in (False, True)]
assert not setting.wrong, setting.wrong
assert setting.absent.keys() <= {"tf_data"}, setting.absent
for some in calls:
    assert some.keys() >= {"stream, 1 thread", "tensors in memory", "HF datasets, Arrow"}, some
    for call, amount in some.values():
        assert amount == 600
        call()
"""


def test_loaders_hand_out_what_was_written(tmp_path: Path) -> None:
    """In a process of its own: some of the libraries leave files open."""
    command = [sys.executable, "-P", "-W", "ignore", "-c", LOADERS, str(ROOT), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr


def test_a_module_is_built_and_its_calls_are_right(tmp_path: Path) -> None:
    needs("nanobind")
    build("capi", common.SOURCES / "calls_capi.c", tmp_path)
    asked = {"add": ("from calls_capi import add", "assert add(3000, 4000) == 7000")}
    cost = costs(asked, tmp_path, rounds=2)["add"]
    assert cost.ns > 0
    assert cost.instructions is None or 100 < cost.instructions < 5000
    asked = {"add": ("from calls_capi import add", "assert add(3000, 4000) == 7001")}
    with pytest.raises(ImportError, match="AssertionError"):
        costs(asked, tmp_path, rounds=2)


def test_ways_are_checked_and_compared_round_by_round(setting: Setting) -> None:
    nothing = ways.Case("noop", "f()", right="f() is None")
    made = ways.Ways("?", {"C API": ways.TVM.ways["C API"]}, {"no argument": nothing})
    found = made.measure(setting)
    assert len(found["no argument"]["C API"]) == setting.rounds
    assert "| C API | " in made.show(found, [])
    wrong = made._replace(cases={"no argument": nothing._replace(right="f() == 1")})
    with pytest.raises(ImportError, match="noop is wrong"):
        wrong.measure(setting)
