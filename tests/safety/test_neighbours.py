"""Beside torch, and other modules made with pybind11 and nanobind, a binding changes nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from support.backends import missing, needs, open_backends
from support.processes import path_with, run_python

HERE = Path(__file__).with_name("neighbours")
FLAGS = ("-std=c++17", "-O0", "-shared", "-fPIC", "-fvisibility=hidden")
Facts = dict[str, Any]


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the modules, and return their folder."""
    if shutil.which("c++") is None:
        missing("the command c++, for modules beside the bindings")
    folder = tmp_path_factory.mktemp("others")
    nanobind = Path(needs("nanobind").include_dir()).parent
    sources = {
        "pybind11": [f"-I{needs('pybind11').get_include()}"],
        "nanobind": [
            f"-I{nanobind / 'include'}",
            f"-I{nanobind / 'ext/robin_map/include'}",
            str(nanobind / "src/nb_combined.cpp"),
        ],
    }
    for name, arguments in sources.items():
        output = folder / f"other_{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
        include = f"-I{sysconfig.get_path('include')}"
        source = str(HERE / f"{name}.cpp")
        command = ["c++", *FLAGS, include, *arguments, source, "-o", str(output)]
        subprocess.run(command, check=True)
    return folder


def observe(others: Path, order: str) -> Facts:
    """Return the facts that a child process finds."""
    names = [name for name, _ in open_backends("matmul")]
    facts: Facts = json.loads(run_python(HERE / "observe.py", order, *names, env=path_with(others)))
    return facts


@pytest.mark.full
def test_other_packages_are_as_they_were(others: Path) -> None:
    alone = observe(others, "alone")
    for order in ("first", "last"):
        beside = observe(others, order)
        assert alone.keys() == beside.keys()
        for name, facts in alone.items():
            assert beside[name] == facts, (order, name)
