"""The modules that the study of experts' questions builds, and what it says of them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.core.extensions import Options, build
from benchmarks.core.statements import Cost, costs
from benchmarks.studies.application import log_python
from benchmarks.studies.experts import application, argtypes, common, exceptions, scale
from support.backends import needs

needs("nanobind")


def test_a_module_is_built_and_its_calls_are_right(tmp_path: Path) -> None:
    source = common.SOURCES / "calls_capi.c"
    built = build("capi", source, tmp_path)
    assert 0 < built.stripped < built.path.stat().st_size * 2
    cells = {
        "right": ("from calls_capi import add", "assert add(3000, 4000) == 7000"),
        "wrong": ("from calls_capi import add", "assert add(3000, 4000) == 7001"),
    }
    found = costs({"right": cells["right"]}, tmp_path, rounds=2)
    assert found["right"].ns > 0
    assert found["right"].instructions is None or 100 < found["right"].instructions < 5000
    with pytest.raises(ImportError, match="AssertionError"):
        costs({"wrong": cells["wrong"]}, tmp_path, rounds=2)


def test_what_cannot_be_built_says_why(tmp_path: Path) -> None:
    source = tmp_path / "broken.c"
    source.write_text("#include <nowhere.h>\n")
    with pytest.raises(ImportError, match=r"nowhere\.h"):
        build("capi", source, tmp_path)
    source.write_text(
        "#include <Python.h>\nPyObject *f(PyObject *o) { return Py_TYPE(o)->tp_dict; }"
    )
    build("capi", source, tmp_path)
    with pytest.raises(ImportError, match="tp_dict"):
        build("capi", source, tmp_path, Options(stable=True))


@pytest.mark.parametrize("tool", ["capi", "cffi"])
def test_many_functions_are_that_many(tool: str, tmp_path: Path) -> None:
    path = scale.source(tool, 126, tmp_path)
    build(tool, path, tmp_path)
    call = "many.f125(2, 3, 4) == 135" if tool == "capi" else "many.lib.f125(2, 3, 4) == 135"
    assert costs({"last": ("import many", f"assert {call}")}, tmp_path, rounds=2, counted=False)
    signatures = {tuple(line.split("(")[1:3]) for line in path.read_text().splitlines()}
    assert len(signatures) > 120


@pytest.mark.parametrize("name", ["python", "capi", "ctypes", "cffi"])
def test_the_application_gives_what_the_reference_gives(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    module = importlib.import_module(application.prepare(name, tmp_path))
    assert application.wrong(module.parse) is None


@pytest.mark.parametrize("name", application.NAMES)
def test_an_application_is_read_at_a_glance(name: str) -> None:
    assert len(application._source(name).read_text("utf-8").splitlines()) <= 60


def _unweighted(lines: Any, weights: Any) -> Any:
    return log_python.parse(lines, dict.fromkeys(weights, 1.0))


def _forgiving(lines: Any, weights: Any) -> Any:
    return log_python.parse([line for line in lines if "1.2.3" not in line], weights)


def _one_less(lines: Any, weights: Any) -> Any:
    return dict([*log_python.parse(lines, weights).items()][1:])


@pytest.mark.parametrize(
    ("parse", "complaint"),
    [
        (_unweighted, "it found other durations"),
        (_forgiving, "it said 'nothing', not 'line 3: not a duration'"),
        (_one_less, "it found the services"),
    ],
)
def test_a_wrong_application_is_found(parse: Any, complaint: str) -> None:
    assert (application.wrong(parse) or "").startswith(complaint)


def test_sentences_are_made_of_the_figures() -> None:
    one, two = {"f": Cost(10.0, 100.0)}, {"f": Cost(10.0, 150.0)}
    found = {"a": one, "b": two}
    assert common.times(found, "b", "a") == pytest.approx(1.5)
    assert common.times({**found, "c": {"f": Cost(30.0)}}, "c", "a") == pytest.approx(3.0)
    assert common.ranked(found, lambda name: common.times(found, name, "a")) == "a 1.00 ×, b 1.50 ×"
    assert common.shown("So.", found).splitlines()[-1] == "| f | 100 (10 ns) | 150 (10 ns) |"
    columns = {"nothing set": {"0": Cost(10, 100), "6": Cost(70, 400)}}
    assert "costs 50 instructions (10 ns) with nothing set." in argtypes.show(columns, [])
    beside = {"pybind11": {"0 other modules": Cost(5, 1), "4 other modules": Cost(9, 1)}}
    assert "pybind11 5 ns alone, 9 ns beside 4 other modules" in exceptions.show(beside, [])
