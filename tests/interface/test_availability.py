"""The reason why a binding is unavailable, and the command that is proposed as a remedy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import pytest
from backends import binding

import bindings
from bindings import availability

ROOT = Path(__file__).parents[2]
SUPPORT = ROOT / "tests" / "support"
PAGES = ("*.so", "*.pyd", "*.dylib", "build", "target", "__pycache__")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the sources as they are after a clone, in a folder with an awkward name."""
    root = tmp_path_factory.mktemp("a clöne") / "ffi-cookbook"
    shutil.copytree(ROOT / "bindings", root / "bindings", ignore=shutil.ignore_patterns(*PAGES))
    (root / "c_src").mkdir()
    return root


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an installed package: its metadata and the files that it lists."""
    site = tmp_path_factory.mktemp("site")
    (site / "bindings").mkdir()
    (site / "bindings" / "__init__.py").write_text("")
    info = site / "ffi_cookbook-7.8.9.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ffi-cookbook\nVersion: 7.8.9\n")
    (info / "RECORD").write_text("bindings/__init__.py,,\n")
    return site


def python(folder: Path, program: str, *path: Path, arguments: Sequence[str] = ()) -> str:
    """Return the output of a program that `python` runs in a folder."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    environment.pop("PYTHONSAFEPATH", None)
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


REASONS = """
import bindings
for name in ("capi", "ctypes", "cffi", "cython", "pybind11", "nanobind"):
    try:
        print(bindings.load(name))
    except bindings.BackendUnavailable as error:
        print(name, error.reason, "|", error.remedy)
"""


def test_the_sources_hide_the_installed_package(checkout: Path, site: Path) -> None:
    lines = python(checkout, REASONS, site).splitlines()
    assert len(lines) == 6
    for line in lines:
        reason, remedy = line.split("|")
        assert f"from the sources in {checkout}" in reason
        assert f"hides the installed package in {site}" in reason
        for way in ("in another folder", "python -P", "pip install -e ."):
            assert way in remedy
        assert "pip install ." not in remedy
    assert python(checkout, "import bindings; print(bindings.__version__)", site) == "7.8.9\n"


def test_nothing_is_installed(checkout: Path) -> None:
    program = "import bindings.availability as a; a.installed = lambda: None\n" + REASONS
    for line in python(checkout, program).splitlines():
        assert "where nothing is built" in line
        assert f"pip install -e '{checkout}'" in line
        assert "hides" not in line


EDITABLE = """
import importlib.util, sys
spec = importlib.util.find_spec("bindings.ctypes")
spec.submodule_search_locations.insert(0, sys.argv[1])
module = sys.modules["bindings.ctypes"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print(module.patterns.add_int(3, 4))
"""


def test_ctypes_finds_its_library_in_an_editable_installation(
    checkout: Path, tmp_path: Path
) -> None:
    """Such an installation adds a folder to the package, which holds all compiled files."""
    library = binding("ctypes").library._PATH
    shutil.copy(library, tmp_path / library.name)
    assert python(checkout, EDITABLE, arguments=[str(tmp_path)]) == "7\n"


def test_an_installed_package_never_proposes_a_folder_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(availability, "sources", lambda: None)
    for name in bindings.names():
        _, remedy = availability.explain(name, ImportError("broken"))
        assert "sources of ffi-cookbook" in remedy
        assert remedy != "pip install ."


def test_the_remedy_names_the_missing_cause() -> None:
    error = ImportError("initialization failed")
    error.__cause__ = ModuleNotFoundError("No module named 'numpy'", name="numpy")
    reason = "the package numpy is not installed"
    assert availability.explain("nanobind", error) == (reason, "pip install numpy")


def test_the_reason_is_one_line() -> None:
    """NumPy's message begins with an empty line."""
    reason, _ = availability.explain("numpy", ImportError("\n\nIMPORTANT: read this\n\nfailed"))
    assert reason == "IMPORTANT: read this failed"


USE = """
import importlib, sys
importlib.import_module(f"bindings.{sys.argv[1]}")
sys.path.append(sys.argv[2])
from backends import PARTS, binding
from every_call import CALLS
for part, makers in CALLS.items():
    if sys.argv[1] in PARTS[part]:
        for call in (call for maker in makers.values() for call in maker(binding(sys.argv[1]))):
            call.repeat(1)
assert not sys._is_gil_enabled()
"""


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="it has the GIL")
@pytest.mark.parametrize("name", [*bindings.names(), "records", "data", "tokenizer"])
def test_imports_and_calls_leave_the_gil_off(name: str) -> None:
    """A module that does not declare that it needs no GIL turns it on for the process.

    Python warns of it, unless PYTHON_GIL is 0.
    """
    if name in bindings.names():
        binding(name)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHON_GIL"}
    command = (sys.executable, "-P", "-W", "error", "-c", USE, name, str(SUPPORT))
    child = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert child.returncode == 0, child.stderr
