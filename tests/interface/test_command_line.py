"""The command line: misspelt words, signatures, outputs that cannot be written, interrupts."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ffi_cookbook
from ffi_cookbook import costs
from ffi_cookbook.__main__ import main
from support.backends import missing
from support.processes import run_python

FEW = """
import sys, ffi_cookbook.__main__
ffi_cookbook.available = lambda: {"python": ffi_cookbook.load("python")}
sys.exit(ffi_cookbook.__main__.main())
"""
"""The command line with one binding, so that not every child has to import torch."""
SLOW = """
import sys, time, ffi_cookbook.__main__
ffi_cookbook.available = lambda: (print("begun", flush=True), time.sleep(60))
sys.exit(ffi_cookbook.__main__.main())
"""
"""The command line with a binding that takes long to load."""


# ---- the parser -----------------------------------------------------------------------------


def test_version(capfd: Any) -> None:
    assert main(["--version"]) == 0
    assert capfd.readouterr().out == f"ffi-cookbook {ffi_cookbook.__version__}\n"
    assert not hasattr(ffi_cookbook, "__versio__")


@pytest.mark.parametrize(("words", "meant"), [("docter", "doctor"), ("inspct a", "inspect")])
def test_did_you_mean(words: str, meant: str, capfd: Any) -> None:
    """From Python 3.15 on, argparse proposes the word itself."""
    assert main(words.split()) == 2
    assert re.search(f"(did you mean|maybe you meant) {meant!r}[?]", capfd.readouterr().err)


def test_lessons_on_windows(monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert main(["learn", "init"]) == 2
    assert "learn needs Linux: run it in WSL" in capfd.readouterr().err


def test_lessons_that_are_not_installed(monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: ())
    assert main(["learn", "init"]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert 'pip install "ffi-cookbook[learn]"' in line


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-DCMAKE_HOST_WIN32=1"], "Windows is not supported: build in WSL"),
        ([], "No C and C++ compiler was found: install one"),
    ],
    ids=["windows", "no compiler"],
)
def test_a_build_that_cannot_work(options: list[str], message: str, tmp_path: Path) -> None:
    cmake = shutil.which("cmake")
    if cmake is None:
        missing("cmake")
    environment = {"PATH": "/nowhere", "CC": "gcc", "HOME": str(tmp_path)}
    sources = Path(__file__).parents[2]
    command = [cmake, "-S", sources, "-B", tmp_path / "build", *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert message in " ".join(done.stderr.split())


def test_a_misspelt_binding() -> None:
    with pytest.raises(ValueError, match=r"did you mean 'nanobind'\?"):
        ffi_cookbook.load("nanobnd")


def test_help_lists_the_exit_codes_and_imports_little() -> None:
    program = (
        "import sys, ffi_cookbook.__main__ as m; m.main(['--help']); m.main(['cost', '-h'])\n"
        "sys.exit(bool({'numpy', 'rich', 'torch', 'asyncio'} & set(sys.modules)))"
    )
    assert "130 interrupted" in " ".join(run_python("-c", program).split())


# ---- signatures -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("f(np.ndarray, int)", (("ndarray[f64]", "int"), "None")),
        ("f(numpy.ndarray) -> float", (("ndarray[f64]",), "float")),
        ("f(npt.NDArray[np.float64], ndarray[f64])", (("ndarray[f64]", "ndarray[f64]"), "None")),
        ("f(list[float], list[str]) -> list", (("list", "list[str]"), "list")),
        ("f(dict[str, float], tuple) -> tuple[int, int]", (("dict", "tuple"), "tuple")),
        ("f(list[int]) -> np.float64", (("list[int]",), "float64")),  # which have no prices
        ("f(x: int, y: float = 2.5)", (("int", "float"), "None")),
        ("f(torch.Tensor)", (("dlpack",), "None")),
        ("f(x: int, /, *, z: dict[str, float])", (("int", "dict"), "None")),
        (
            "def ema(x: np.ndarray, *, alpha: float = 0.5) -> np.ndarray: ...",
            (("ndarray[f64]", "float"), "ndarray[f64]"),
        ),
        ("async def f(self, data: bytes | bytearray) -> Optional[str]:", (("Buffer",), "str")),
        ("f(x: list[float] | None = None)", (("list",), "None")),
    ],
)
def test_signatures(text: str, kinds: Any) -> None:
    named = int("*," in text)  # of these, no signature has more than one argument by name
    assert costs.Signature.parse(text) == (*kinds, named)


@pytest.mark.parametrize(
    "text",
    [
        "f(NDArray[np.float32])",
        "f(x: np.float32)",
        "f(*args)",
        "f(x=None)",
        "f(complex)",
        "f(int[)",
        "f(]",
        "f() -> )",
    ],
)
def test_what_has_no_price(text: str, capfd: Any) -> None:
    assert main(["cost", text]) == 2
    out, err = capfd.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)


# ---- outputs --------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["cost", "f(int)"], ["doctor"], ["--version"]])
def test_outputs_that_cannot_be_written(words: list[str]) -> None:
    few = [sys.executable, "-P", "-c", FEW, *words]
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run(few, stdout=theirs, stderr=subprocess.PIPE, check=False)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (141, b"")
    if os.path.exists("/dev/full"):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(few, stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 2
        assert done.stderr == b"cannot write the output: No space left on device\n"
    if os.name == "posix":
        closed = ["sh", "-c", 'exec "$@" >&-', "sh", *few]
        done = subprocess.run(closed, stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(few, capture_output=True, env=ascii_only, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()


def test_the_doctor_says_what_a_report_needs(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COOKBOOK_CACHE", "/\x1b]0;owned\x07")
    assert main(["doctor"]) == 0
    text = capfd.readouterr().out
    assert "COOKBOOK_CACHE=/\\x1b]0;owned\\x07" in text
    for fact in (ffi_cookbook.__version__, sys.executable, "numpy", "CPUs", "please include"):
        assert fact in text


# ---- signals --------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="no signals of this kind here")
def test_an_interrupt_is_silent() -> None:
    """The signal goes to every process of the group, as a terminal sends it."""
    child = subprocess.Popen(
        [sys.executable, "-P", "-c", SLOW, "doctor"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    with child:
        assert child.stdout
        assert child.stdout.readline() == b"begun\n"
        os.killpg(child.pid, signal.SIGINT)
        _, err = child.communicate()
    assert (child.returncode, err) == (130, b"")
