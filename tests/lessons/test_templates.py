"""Exercises in pybind11 and nanobind: what their compilers and runtimes say, in one sentence."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ffi_cookbook_lessons.building import BuildError, build, templates
from ffi_cookbook_lessons.catalogue import Exercise, find
from ffi_cookbook_lessons.explaining import alive_at_exit, unconverted
from ffi_cookbook_lessons.grading import grade

SERIES = find("pybind11_and_nanobind/series")
HEAD = "#include <nanobind/nanobind.h>\nnamespace nb = nanobind;\n"


def built(folder: Path, text: str) -> Path:
    """Build a module with nanobind."""
    source = folder / "exercise.cpp"
    source.write_text(text, "utf-8")
    return build("nanobind", source, (), False)


def test_the_module_that_is_ported_passes_the_same_cases(tmp_path: Path) -> None:
    folder = tmp_path / "1_port" / "1_series"
    shutil.copytree(SERIES.folder, folder)
    about = (folder / "exercise.toml").read_text("utf-8")
    about = about.replace('kind = "nanobind"', 'kind = "pybind11"')
    (folder / "exercise.toml").write_text(about, "utf-8")
    verdict = grade(Exercise(folder), folder / "series_pybind11.cpp")
    assert verdict.status == "pass", verdict.findings


def test_an_error_in_a_template_has_the_line_where_it_is_used(tmp_path: Path) -> None:
    module = 'NB_MODULE(exercise, m) {\n  m.def("f", [](int x) { return x; }, NAMES);\n}\n'
    with pytest.raises(BuildError, match="number of nb::arg annotations must match") as caught:
        built(tmp_path, HEAD + module.replace("NAMES", 'nb::arg("x"), nb::arg("y")'))
    assert caught.value.line == 4


def test_a_library_that_is_absent_is_a_missing_tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(templates, "include_flags", lambda kind: [])
    with pytest.raises(BuildError, match="pip install nanobind") as caught:
        built(tmp_path, HEAD + "// without the library\n")
    assert caught.value.rule == "missing-tool"


def test_what_nanobind_reports_at_exit_is_passed_on() -> None:
    text = 'nanobind: leaked 2 instances!\n - leaked instance 0x7f of type "exercise.Cell"\n'
    assert alive_at_exit(text) == "2 instances, of Cell"
    assert alive_at_exit("nanobind: all is well\n") == ""


def test_a_signature_with_a_type_of_cpp_has_no_converter() -> None:
    raised = "f(): incompatible function arguments.\n    1. f(arg: std::vector<int>) -> int\n"
    assert unconverted(raised) == "1. f(arg: std::vector<int>) -> int"
    assert unconverted(raised.replace("std::vector<int>", "int")) == ""
