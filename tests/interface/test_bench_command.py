"""`ffi-cookbook bench --binding`: an outside binding is checked, and then timed."""

from __future__ import annotations

import json
import random
import types
from pathlib import Path
from types import ModuleType

import pytest

import ffi_cookbook
from ffi_cookbook.__main__ import main
from ffi_cookbook.cli.bench import load
from ffi_cookbook.comparison import conformance
from ffi_cookbook.comparison.conformance import complaint
from ffi_cookbook.comparison.operands import CALLS, METHODS, PATTERNS, has
from ffi_cookbook.records import frame

PAGE = """
import operator

def add_int(a, b):
    a, b = operator.index(a), operator.index(b)
    if not all(-(2**63) <= value < 2**63 for value in (a, b)):
        raise OverflowError("not an int64")
    return (a + b + 2**63) % 2**64 - 2**63

def {name}(data):
    {body}
"""


@pytest.mark.part("patterns", native=True)
def test_the_bindings_here_have_no_complaint(backend: ModuleType) -> None:
    draw = random.Random()
    for name in CALLS:
        if has(backend, name):
            assert complaint(backend, name, draw) is None


@pytest.mark.parametrize("name", [name for name in PATTERNS if name not in ("noop", "noop_nogil")])
def test_an_empty_function_is_wrong(name: str) -> None:
    module = types.SimpleNamespace(**{name: lambda *arguments: 7})
    assert complaint(module, name, random.Random()) is not None


@pytest.mark.parametrize("name", METHODS)
def test_a_tokenizer_is_asked_what_it_encodes(name: str) -> None:
    right = ffi_cookbook.load("python").Tokenizer
    method = name.split(".")[1]
    wrong = type("Tokenizer", (right,), {method: lambda self, argument: 7})
    refusing = type("Tokenizer", (), {method: right.encode})
    for kind, message in ((right, None), (wrong, "returned 7"), (refusing, "(model) raised")):
        said = complaint(types.SimpleNamespace(Tokenizer=kind), name, random.Random())
        assert (message or "") in (said or "")
        assert (said is None) == (message is None)


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
    [("return 5", "returned 5"), ("import os; os.abort()", "bytes_in: the process ended with -6")],
)
def test_a_wrong_binding(
    body: str, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "--binding", page(tmp_path, "bytes_in", body)]) == 1
    shown = capfd.readouterr().out
    assert "add_int" in shown
    assert message in shown


def test_an_entry_point_names_a_binding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page(tmp_path, "something_else", "pass")
    about = tmp_path / "somebody-0.1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: somebody\nVersion: 0.1\n")
    (about / "entry_points.txt").write_text("[ffi_cookbook.bindings]\nof-somebody = mine\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert load("of-somebody").add_int(3, 4) == 7


def test_what_is_not_a_binding(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name, message in (("json", "no function of the protocol"), ("nothing_here", "imported")):
        assert main(["bench", "--binding", name]) == 2
        assert message in capfd.readouterr().err


def test_a_reader_that_checks_no_crc_is_wrong() -> None:
    def index(data: bytes, spans: object, cursor: object) -> int:
        repaired, at = b"", 0
        while at < len(data):
            end = at + 16 + int.from_bytes(data[at : at + 8], "little")
            repaired += frame(data[at + 12 : end - 4])
            at = end
        return python.index_records(repaired, spans, cursor)

    python = ffi_cookbook.load("python")
    said = complaint(types.SimpleNamespace(index_records=index), "index_records", random.Random())
    assert "a record of which a bit was changed" in (said or "")


def test_a_gil_that_is_held_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "WAIT", 0.2)
    module = types.SimpleNamespace(noop_nogil=lambda: None)
    assert complaint(module, "noop_nogil", random.Random()) == "noop_nogil holds the GIL"
