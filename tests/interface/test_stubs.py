"""The stubs of the native modules match the modules, and are installed with them."""

from __future__ import annotations

import ast
import copyreg
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from support.backends import binding, needs

ROOT = Path(__file__).parents[2]
A_USER = """\
import numpy as np
import ffi_cookbook
backend, a = ffi_cookbook.load("capi"), np.ones((2, 2))
backend.matmul(a, a, threads=2).sum()
backend.matmul(a, "b")
backend.matmul(a, a, thread=2)
backend.patterns.add_int("1", 2)
ffi_cookbook.load(1)
"""
NATIVE = ("capi", "cython", "pybind11", "nanobind", "pyo3")
ALLOWED = r"""
.*\.__test__                                  # Cython's
.*\.__(reduce|setstate)_cython__
ffi_cookbook\.bindings\.cython\.\w+\.(Borrowed|Memory|Texts?)     # helpers
ffi_cookbook\.bindings\.capi\.patterns\.(Point|Counter)\.__init__  # made by tp_vectorcall alone
ffi_cookbook\.bindings\.capi\.patterns\.idiomatic  # submodules that no import finds
ffi_cookbook\.bindings\.pybind11\.patterns\.fast
ffi_cookbook\.bindings\.pybind11\.(\w+\.)+(Tokenizer|Countdown|Counter|Point)  # another metaclass
ffi_cookbook\.bindings\.pybind11\.(\w+\.)+__pybind11_module_local_\w+
ffi_cookbook\.bindings\.pybind11\.(\w+\.)+Countdown\.__init__
ffi_cookbook_pyo3\.(__all__|ffi_cookbook_pyo3|patterns)  # what maturin wraps around the module
"""


@pytest.fixture
def stubs(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the tool that writes the stubs."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return import_module("stubs")


def meaning(text: str) -> list[str]:
    """Return the statements of a stub without layout and comments, and its imports in order."""
    imports, rest = [], []
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.ImportFrom):
            imports += [(statement.module or "", alias.name) for alias in statement.names]
        else:
            rest.append(ast.unparse(statement))
    return [str(found) for found in sorted(imports)] + rest


@pytest.mark.parametrize("name", NATIVE)
def test_a_stub_is_what_would_be_written_today(stubs: ModuleType, name: str) -> None:
    counter = binding(name).patterns.Counter
    copyreg._slotnames(counter)  # type: ignore[attr-defined]  # pickle stores these in the class
    for path, text in stubs.stubs(name):
        assert meaning(path.read_text()) == meaning(text), f"{path}: run nox -s stubs"


def test_the_stub_by_hand_has_the_overloads_of_the_module(stubs: ModuleType) -> None:
    def names(signature: str) -> list[str]:
        return re.findall(r"\b[a-z]+(?=: )|\*", signature.split("->")[0])

    stub = ast.parse((stubs.BINDINGS / "nanobind" / "matmul.pyi").read_text())
    *said, general = [ast.unparse(one) for one in stub.body if isinstance(one, ast.FunctionDef)]
    made = [text for text, *_ in binding("nanobind").matmul.__nb_signature__]
    assert [*map(names, said)] == [*map(names, made)] == [names(general)] * 2
    assert [re.findall(r"_F.", text) for text in said] == [["_F4"] * 4, ["_F8"] * 4]
    assert [re.findall(r"=float(..)", text) for text in made] == [["32"] * 4, ["64"] * 4]


def test_stubs_are_installed_with_their_modules(stubs: ModuleType) -> None:
    for name in NATIVE:
        package = Path(binding(name).__file__ or "").parent
        if name == "pyo3":
            package = Path(import_module("ffi_cookbook_pyo3").__file__ or "").parent
            assert (package / "__init__.pyi").exists()
            assert (package / "py.typed").exists()
        else:
            assert (package.parents[1] / "py.typed").exists()
            missing = [
                module
                for module in stubs.MODULES[name]
                if not (
                    package / stubs.path_of(name, module).relative_to(stubs.BINDINGS / name)
                ).exists()
            ]
            assert not missing, name
    binding("torch")
    torch = Path(import_module("ffi_cookbook_torch").__file__ or "").parent
    assert (torch / "py.typed").exists()


@pytest.mark.full
def test_mypy_finds_the_modules_as_the_stubs_say(stubs: ModuleType, tmp_path: Path) -> None:
    """mypy.stubtest, except for nanobind, whose functions stubtest does not recognise."""
    needs("mypy")
    (tmp_path / "allowed").write_text(ALLOWED)
    (tmp_path / "mypy.ini").write_text("[mypy]\n")
    modules = []
    for name in ("capi", "cython", "pybind11"):
        binding(name)
        modules += [
            f"ffi_cookbook.bindings.{name}.{module}"
            for module in stubs.MODULES[name]
            if name == "cython" or not module.startswith("patterns.")
        ]
    binding("pyo3")
    command = [sys.executable, "-P", "-m", "mypy.stubtest", "--concise", "--ignore-disjoint-bases"]
    command += ["--ignore-unused-allowlist", "--allowlist", "allowed"]
    command += ["--mypy-config-file", "mypy.ini", *modules, "ffi_cookbook_pyo3"]
    environment = {**os.environ, "MYPY_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_finds_the_mistakes_of_a_user(tmp_path: Path) -> None:
    needs("mypy")
    binding("capi")
    (tmp_path / "user.py").write_text(A_USER)
    command = [sys.executable, "-P", "-m", "mypy", "--strict", "user.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    found = [line.split(":")[1] for line in done.stdout.splitlines() if "error:" in line]
    assert found == ["5", "6", "7", "8"], done.stdout + done.stderr
