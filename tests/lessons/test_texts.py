"""The texts of the chapters: their code compiles or runs, and each figure is shown once."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from ffi_cookbook_lessons.building.compiled import python_flags
from ffi_cookbook_lessons.building.cuda import nvcc
from ffi_cookbook_lessons.building.pyo3 import crate_options
from ffi_cookbook_lessons.building.templates import include_flags
from ffi_cookbook_lessons.building.torch import torch_flags
from ffi_cookbook_lessons.catalogue import Chapter, Exercise, chapters, find
from ffi_cookbook_lessons.drawing import figures
from ffi_cookbook_lessons.grading import grade
from ffi_cookbook_lessons.rules import sentences

CHAPTERS = chapters()
DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EMPTY_MODULE = """#include <Python.h>
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "NAME"};
PyMODINIT_FUNC PyInit_NAME(void) { return PyModuleDef_Init(&definition); }
"""
each = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)


def blocks(chapter: Chapter, language: str) -> list[str]:
    """Return the code blocks of that language in the chapter's text."""
    return [
        code for name, code in BLOCK.findall(chapter.text.read_text("utf-8")) if name == language
    ]


def accepted(command: list[str], folder: Path) -> None:
    """Run a compiler, and show what it says if it refuses."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@each
@pytest.mark.parametrize(
    ("language", "suffix", "compiler", "standard"),
    [
        ("c", ".c", "cc", "-std=gnu17"),
        ("cpp", ".cpp", "c++", "-std=c++20"),
    ],
)
def test_c_and_cpp_compile(
    chapter: Chapter, language: str, suffix: str, compiler: str, standard: str, tmp_path: Path
) -> None:
    prelude = chapter.folder / "prelude.h"
    text = prelude.read_text("utf-8") if prelude.exists() else ""
    headers = [*python_flags(), *include_flags("nanobind"), *include_flags("pybind11")]
    headers += torch_flags() if "torch/" in text else ()
    for i, code in enumerate(blocks(chapter, language)):
        (tmp_path / f"{i}{suffix}").write_text(f"{text}\n{code}", "utf-8")
        flags = [standard, "-Wall", "-Wno-unused", "-Werror", "-fsyntax-only", *headers]
        flags += ["-fvisibility=hidden", f"-I{chapter.folder}"]
        accepted([compiler, *flags, f"{i}{suffix}"], tmp_path)


@each
def test_cuda_compiles(chapter: Chapter, tmp_path: Path) -> None:
    code = blocks(chapter, "cuda")
    program = nvcc()
    if code and program is None:
        pytest.skip("nvcc is absent")
    for i, block in enumerate(code):
        (tmp_path / f"{i}.cu").write_text(f"#include <cstdint>\n{block}", "utf-8")
        accepted([str(program), "-std=c++20", "-Werror", "all-warnings", "-c", f"{i}.cu"], tmp_path)


@each
def test_rust_compiles(chapter: Chapter, tmp_path: Path) -> None:
    code = blocks(chapter, "rust")
    crates = crate_options() if code else []
    for i, block in enumerate(code):
        (tmp_path / f"{i}.rs").write_text(block, "utf-8")
        options = [
            "--edition=2024",
            "--crate-type=lib",
            "--emit=metadata",
            f"--crate-name=block{i}",
        ]
        accepted(["rustc", *options, *crates, f"{i}.rs"], tmp_path)


@each
def test_cython_compiles(chapter: Chapter, tmp_path: Path) -> None:
    for i, code in enumerate(blocks(chapter, "cython")):
        (tmp_path / f"block{i}.pyx").write_text(code, "utf-8")
        accepted([sys.executable, "-m", "cython", "-3", "-Werror", f"block{i}.pyx"], tmp_path)


@each
def test_python_runs(chapter: Chapter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": chapter.name}
    for name, code in BLOCK.findall(chapter.text.read_text("utf-8")):
        if name == "python":
            exec(compile(code, str(chapter.text), "exec"), names)
        elif name == "pycon":
            test = doctest.DocTestParser().get_doctest(code, names, chapter.name, None, 0)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            runner.run(test, clear_globs=False)
            assert runner.summarize(verbose=False).failed == 0
            names = test.globs


@each
def test_projects_build(chapter: Chapter, tmp_path: Path) -> None:
    """Build the wheel of each pyproject.toml, with sources that hold an empty module."""
    for i, code in enumerate(blocks(chapter, "toml")):
        folder = tmp_path / str(i)
        folder.mkdir()
        (folder / "pyproject.toml").write_text(code, "utf-8")
        project = tomllib.loads(code)
        modules = project["tool"]["setuptools"]["ext-modules"]
        for module in modules:
            text = EMPTY_MODULE.replace("NAME", module["name"])
            (folder / module["sources"][0]).write_text(text, "utf-8")
        backend = project["build-system"]["build-backend"]
        accepted([sys.executable, "-c", f"import {backend} as b; b.build_wheel('.')"], folder)
        wheel = next(folder.glob("*.whl"))
        assert wheel.name.rsplit("-", 1)[0] in chapter.text.read_text("utf-8")
        names = zipfile.ZipFile(wheel).namelist()
        assert all(any(name.startswith(f"{m['name']}.") for name in names) for m in modules)


@each
def test_the_text_is_complete(chapter: Chapter) -> None:
    text = chapter.text.read_text("utf-8")
    words = len(re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL).split())
    assert 1000 <= words <= 2500
    for exercise in chapter.exercises:
        assert f"`{exercise.name}`" in text, exercise.name
    assert sorted(re.findall(r"!\[.*?\]\((.*?)\)", text)) == sorted(figures(chapter.folder))


@each
def test_the_kernel_is_built_as_the_text_says(
    chapter: Chapter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commands before `nox … --binding FILE` make that file."""
    (command,) = (code for code in blocks(chapter, "console") if " --binding " in code)
    lines = [line.removeprefix("$ ") for line in command.replace("\\\n", "").splitlines()]
    file = lines.pop().partition(" --binding ")[2]
    if "cargo" in command:
        assert f"$PWD/{lines[-1].split()[-1]}" == file
        pytest.skip("cargo downloads the crates")
    if "cmake" in command and not shutil.which("cmake"):
        pytest.skip("cmake is absent")
    exercise = chapter.exercises[-1]
    for path in exercise.given:
        shutil.copy(path, tmp_path)
    shutil.copy(exercise.source, tmp_path / exercise.file)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    accepted(["bash", "-ec", "\n".join([*lines, f"ls {file}"])], tmp_path)


def test_the_page_builds_a_kernel_as_its_chapter_does() -> None:
    command = "-o exercise.so exercise.c matrices.c\n$ nox -f ~/ffi-cookbook/noxfile.py -s bench "
    page = (DOCS / "lessons.md").read_text("utf-8")
    (wanted,) = (each for each in CHAPTERS if each.name == "c_api")
    (block,) = (code for code in blocks(wanted, "console") if command in code)
    assert block in page


def test_the_verdicts_of_the_page_are_those_of_the_checker() -> None:
    page = (DOCS / "lessons.md").read_text("utf-8")
    found = re.findall(r"^FAIL (\S+)  exercise\S+  (\S+)\n  ([^\n]*)$", page, re.MULTILINE)
    assert found
    planted = {rule for _, rules, _ in find("cpp/min_max").planted() for rule in rules}
    for exercise, rule, sentence in found:
        assert exercise == "cpp/min_max"
        assert rule in planted | {"null-dereference"}  # that of the stub
        assert sentence == sentences()[rule]


def test_the_exercise_of_the_page_works(tmp_path: Path) -> None:
    """The examples of the page on adding an exercise fit the exercise c_api/scale."""
    known = find("c_api/scale")
    folder = tmp_path / known.folder.parent.name / known.folder.name
    shutil.copytree(known.folder, folder)
    page = (DOCS / "adding-an-exercise.md").read_text("utf-8")
    codes = [code for name, code in BLOCK.findall(page) if name in ("toml", "python")]
    names = ("exercise.toml", "check.py", "drive.py")
    for name, code in zip(names, codes, strict=True):
        (folder / name).write_text(code, "utf-8")
    exercise = Exercise(folder)
    for path in exercise.given:
        path.touch()
    verdict = grade(exercise, exercise.source)
    assert verdict.status == "pass", verdict.finding
    _, other = next(exercise.others())
    assert "n; i-- > 0;)" in other
    ((_, rules, text),) = exercise.planted()
    wrong = folder / exercise.file
    wrong.write_text(text, "utf-8")
    finding = grade(exercise, wrong).finding
    assert finding is not None
    assert {finding.rule} == rules
