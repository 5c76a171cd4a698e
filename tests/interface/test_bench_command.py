"""`ffi-cookbook bench --binding`: a binding from outside is checked, and then timed."""

from __future__ import annotations

import json
import random
import types
from pathlib import Path
from types import ModuleType

import pytest

from bindings.__main__ import main
from bindings.comparison.conformance import complaint
from bindings.comparison.operands import CALLS, PATTERNS, find

PAGE = """
import operator

def add_int(a, b):
    a, b = operator.index(a), operator.index(b)
    if not all(-(2**63) <= value < 2**63 for value in (a, b)):
        raise OverflowError("not an int64")
    return (a + b + 2**63) % 2**64 - 2**63

def {name}(data, before=0):
    {body}
"""


@pytest.mark.part("patterns", native=True)
def test_the_bindings_here_have_no_complaint(backend: ModuleType) -> None:
    draw = random.Random()
    for name in CALLS:
        if find(backend, name) is not None:
            assert complaint(backend, name, draw) is None


@pytest.mark.parametrize("name", [name for name in PATTERNS if name not in ("noop", "noop_nogil")])
def test_an_empty_function_is_wrong(name: str) -> None:
    module = types.SimpleNamespace(**{name: lambda *arguments: 7})
    assert complaint(module, name, random.Random()) is not None


def page(folder: Path, name: str, body: str) -> str:
    path = folder / "mine.py"
    path.write_text(PAGE.format(name=name, body=body), "utf-8")
    return str(path)


def test_a_right_binding(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = page(tmp_path, "something_else", "pass")
    assert main(["bench", "--json", "--binding", path]) == 0
    (result,) = json.loads(capfd.readouterr().out)
    assert result["name"] == "add_int"
    assert {"yours", "capi"} <= set(result["nanoseconds"])
    assert main(["bench", "--binding", path]) == 0
    assert "add_int" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("body", "message"),
    [("return 5", "returned 5"), ("import os; os.abort()", "crc32c: the process ended with -6")],
)
def test_a_wrong_binding(
    body: str, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "--binding", page(tmp_path, "crc32c", body)]) == 1
    shown = capfd.readouterr().out
    assert "add_int" in shown
    assert message in shown


def test_what_is_not_a_binding(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name, message in (("json", "no function of the protocol"), ("nothing_here", "imported")):
        assert main(["bench", "--binding", name]) == 2
        assert message in capfd.readouterr().err
