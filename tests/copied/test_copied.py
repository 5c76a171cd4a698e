"""Templates survive `python -m build`, and their wheels attacks.

The project's sdist is built, a wheel from the sdist, and the wheel is installed into an empty
environment, where the template's own tests and all attacks (attacks/) run.
"""

from __future__ import annotations

import re
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from support import projects
from support.backends import missing

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
TECHNOLOGIES = ("capi", "ctypes", "cffi", "cython", "pybind11", "nanobind", "pyo3", "torch")
WHEELS = {"ctypes": "py3-none-", "torch": "py3-none-", "cffi": "cp311-abi3-"}
CYCLE = """
import gc, sys, weakref, smooth
smooth.kept = smooth.Average(0.5)
kind = weakref.ref(smooth.Average)
del smooth, sys.modules["smooth"]
gc.collect()
print("leaked" if kind() else "freed")
"""
"""An instance that the module can reach."""
BESIDE = """
import smooth, rough
print(*(type(one.Average(0.5)).__module__.split(".")[0] for one in (smooth, rough)))
"""
SECOND = """
import sys
import numpy, smooth
if sys.version_info < (3, 13):
    import _xxsubinterpreters as interpreters
else:
    import _interpreters as interpreters
interpreters.run_string(interpreters.create(), f'''
import sys
sys.path[:] = {sys.path}
try:
    import smooth
except ImportError:
    print("refused", flush=True)
''')
print(smooth.Average(0.5).update(numpy.ones(1)))
"""
technologies = pytest.mark.parametrize(
    "technology",
    # Cargo's folder is shared: a second build there could take the first one's library.
    [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in TECHNOLOGIES],
)


@technologies
def test_the_template(technology: str, tmp_path: Path) -> None:
    source = projects.template(technology, tmp_path / "templates")
    python = built(technology, source, tmp_path)
    tests = ["-W", "error", "-m", "pytest", "-p", "no:cacheprovider", "tests"]
    done = projects.run([*python, *tests], source)
    assert done.returncode == 0, done.stdout
    if technology == "capi":
        done = projects.run([*python, "-W", "error", "-c", CYCLE], tmp_path)
        assert done.stdout == "freed\n", done.stderr
    if technology in ("pybind11", "nanobind"):
        beside_another(source, python, tmp_path)
        done = projects.run(["timeout", "60", *python, "-W", "ignore", "-c", SECOND], tmp_path)
        assert done.stdout == "refused\n[1.]\n", (done.returncode, done.stderr)
    attacked(python, tmp_path, "operators" if technology == "torch" else "smooth")


def built(technology: str, source: Path, folder: Path) -> list[str]:
    """Build a project as `python -m build` does, and return a Python that has the wheel alone."""
    command = "cargo" if technology == "pyo3" else "cc"
    if shutil.which(command) is None or shutil.which("uv") is None:
        missing(f"the commands {command} and uv, for {technology}")
    files = set(projects.read(source))
    sdist, wheel = projects.build(source, folder)
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert not files - inside, "files that the sdist lacks"
    with zipfile.ZipFile(wheel) as archive:
        sources = (".c", ".o", ".h", ".rs", ".pyx")
        strays = [name for name in archive.namelist() if name.endswith(sources)]
    assert not strays, "files that the wheel should not have"
    own = f"cp{sys.version_info.major}{sys.version_info.minor}-"
    assert WHEELS.get(technology, own) in wheel.name
    return projects.installed(source, wheel, folder)


def beside_another(source: Path, python: list[str], folder: Path) -> None:
    """Import the package beside one of another name with a C++ class of the same name."""
    renamed = {
        name.replace("smooth", "rough"): text.replace("smooth", "rough")
        for name, text in projects.read(source).items()
    }
    projects.write(renamed, folder / "other" / "project")
    _, wheel = projects.build(folder / "other" / "project", folder / "other")
    command = ["uv", "pip", "install", "--no-deps", "--python", python[0], str(wheel)]
    assert projects.run(command, folder).returncode == 0
    done = projects.run([*python, "-c", BESIDE], folder)
    assert done.stdout == "smooth rough\n", done.stderr


def attacked(python: list[str], folder: Path, package: str) -> None:
    """Run all attacks. After one that ends the process, run the rest in a new process."""
    faults, first = [], 0
    for _ in range(50):
        command = [*python, "-W", "ignore", "-m", "attacks", package, str(first)]
        done = projects.run(command, folder, PYTHONPATH=str(HERE))
        faults += re.findall(r"^! (.*)", done.stdout, re.MULTILINE)
        if done.stdout.endswith("done\n"):
            break
        begun = re.findall(r"^(\d+) (.*)", done.stdout, re.MULTILINE)
        if not begun:
            faults.append(f"no attack began: {done.stderr[-1500:]}")
            break
        faults.append(f"{begun[-1][1]}: ended the process ({done.returncode})")
        first = int(begun[-1][0]) + 1
    assert not faults, "\n".join(faults)
