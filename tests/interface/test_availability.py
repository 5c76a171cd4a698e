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

import ffi_cookbook
from ffi_cookbook import availability
from support.backends import binding
from support.processes import path_with

ROOT = Path(__file__).parents[2]


@pytest.fixture
def strangers(tmp_path: Path) -> Path:
    """Return a folder with packages of other people, whose names are folders of our sources."""
    for name in ("bindings", "lessons", "benchmarks", "tests"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise ImportError('a stranger')\n")
    return tmp_path


def python(folder: Path, program: str, *path: Path, arguments: Sequence[str] = ()) -> str:
    """Return the output of a program that `python` runs in a folder."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    environment.pop("PYTHONSAFEPATH", None)
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


USED = """
import ffi_cookbook, sys
for name in ("capi", "ctypes"):
    ffi_cookbook.load(name).matmul(*2 * [ffi_cookbook.load("numpy").np.eye(2)])
    assert ffi_cookbook.tokenizer.Model and ffi_cookbook.records.read and ffi_cookbook.data.padded
print(ffi_cookbook.__file__)
"""


@pytest.mark.parametrize("at", ["root", "elsewhere"])
def test_packages_with_the_names_of_its_folders_do_not_hide_it(strangers: Path, at: str) -> None:
    """Without -P the current folder comes first on the path, even if it is that of the sources."""
    binding("capi"), binding("ctypes")
    folder = ROOT if at == "root" else strangers
    assert python(folder, USED, strangers).strip() == ffi_cookbook.__file__


EDITABLE = """
import importlib.util, sys
spec = importlib.util.find_spec("ffi_cookbook.bindings.ctypes")
spec.submodule_search_locations.insert(0, sys.argv[1])
module = sys.modules["ffi_cookbook.bindings.ctypes"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print(module.patterns.add_int(3, 4))
"""


def test_ctypes_finds_its_library_in_an_editable_installation(tmp_path: Path) -> None:
    """Such an installation adds a folder to the package, which holds all compiled files."""
    library = binding("ctypes").library._PATH
    shutil.copy(library, tmp_path / library.name)
    package, sources = Path(str(ffi_cookbook.__file__)).parent, tmp_path / "sources"
    compiled = shutil.ignore_patterns("*.so", "*.dylib", "__pycache__")
    shutil.copytree(package, sources / "ffi_cookbook", ignore=compiled)
    assert python(tmp_path, EDITABLE, sources, arguments=[str(tmp_path)]) == "7\n"


def test_an_installed_package_never_proposes_a_folder_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(availability, "sources", lambda: None)
    for name in ffi_cookbook.names():
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
import importlib, random, sys
name = sys.argv[1]
home = "ffi_cookbook" if name in ("records", "data", "tokenizer") else "ffi_cookbook.bindings"
importlib.import_module(f"{home}.{name}")
sys.path.append(sys.argv[2])
from support.backends import PARTS, binding
from support.calls import CALLS
for part, makers in CALLS.items():
    if sys.argv[1] in PARTS[part]:
        for call in (call for maker in makers.values() for call in maker(binding(sys.argv[1]))):
            call.repeat(1)
            assert not sys._is_gil_enabled(), call
from ffi_cookbook.bindings.protocol.pattern_table import PATTERNS
from support.operands import accepted
for variant in ("idiomatic", "checked", "fast") if name in PARTS["patterns"] else ():
    functions = getattr(binding(name).patterns, variant, None)
    for pattern in PATTERNS:
        imports_triton = (name, pattern) == ("torch", "array_in")  # which turns the GIL on
        if hasattr(functions, pattern) and not imports_triton:
            arguments = accepted(pattern, random.Random(4), binding(name).patterns)
            getattr(functions, pattern)(*arguments)
            assert not sys._is_gil_enabled(), (variant, pattern)
"""


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="it has the GIL")
@pytest.mark.parametrize("name", [*ffi_cookbook.names(), "records", "data", "tokenizer"])
def test_imports_and_calls_leave_the_gil_off(name: str) -> None:
    """A module that does not declare that it needs no GIL turns it on for the process.

    Python warns of it, unless PYTHON_GIL is 0.
    """
    if name in ffi_cookbook.names():
        binding(name)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHON_GIL"}
    command = (sys.executable, "-P", "-W", "error", "-c", USE, name, str(ROOT / "tests"))
    child = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert child.returncode == 0, child.stderr


HASTY = """#include <Python.h>
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "hasty"};
PyMODINIT_FUNC PyInit_hasty(void) { return PyModuleDef_Init(&definition); }
"""


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="it has the GIL")
def test_the_doctor_names_what_has_switched_the_gil_on(tmp_path: Path) -> None:
    (tmp_path / "hasty.c").write_text(HASTY)
    (tmp_path / "torch.py").write_text("raise ImportError('it takes long')")
    command = ["cc", "-shared", "-fPIC", f"-I{sysconfig.get_path('include')}", "-o", "hasty.so"]
    subprocess.run([*command, "hasty.c"], cwd=tmp_path, check=True)
    environment = path_with(tmp_path) | {"PYTHON_GIL": ""}

    def warned(*options: str) -> list[str]:
        command = [sys.executable, "-P", *options, "-W", "ignore", "-m", "ffi_cookbook", "doctor"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return [line for line in done.stdout.splitlines() if line.startswith("warning: ")]

    assert warned() == []
    assert warned("-X", "gil=1") == ["warning: PYTHON_GIL or -X gil has switched the GIL on"]
    (tmp_path / "sitecustomize.py").write_text("import hasty\n")
    reason = "has switched the GIL on: it does not declare that it needs none"
    assert warned() == [f"warning: the module hasty {reason}"]
