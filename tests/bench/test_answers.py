"""Faults of a binding that must show before anything is timed, each planted on purpose."""

from __future__ import annotations

import ctypes
import functools
import os
import random
import sys
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import ffi_cookbook
from benchmarks.core import process
from benchmarks.ledger import answers, fresh, inputs, outside, rows

PYTHON = ffi_cookbook.load("python")


def backend(**changed: Any) -> Any:
    """Return the Python binding under a made-up name, with other patterns."""
    patterns = SimpleNamespace(**{**vars(PYTHON.patterns), **changed})
    return SimpleNamespace(__name__="ffi_cookbook.bindings.made_up", patterns=patterns)


def last(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that repeats its first answer, whatever it is asked next."""
    seen: dict[str, Any] = {}
    return lambda *arguments: seen.setdefault("answer", function(*arguments))


LEAKED, LIST = list[Any](), list[float]()
MEMORY, MALLOC = np.empty(64), ctypes.pythonapi.malloc
P = PYTHON.patterns
ONE = P.struct_out(1.0, 2.0)


def packed(a: Any) -> Any:
    """Return an array whose stride is known only at the timed length."""
    strided = getattr(a, "strides", ()) == (16,) and len(a) != 8
    return as_strided(a, strides=(8,)) if strided else a


def filled(memory: Any, items: Any) -> Any:
    """Return the memory with these items."""
    memory[:] = items
    return memory


FAULTS = {
    "a constant": ("add_int", lambda a, b: 7000, "gave 7000, not"),
    "the last result": ("bytes_map", last(P.bytes_map), "gave"),
    "a cache": ("str_in", functools.lru_cache(1)(P.str_in), "keeps a after the call"),
    "no range check": ("add_int", lambda a, b: (a + b + 2**63) % 2**64 - 2**63, "OverflowError"),
    "no type check": ("bytes_map", lambda a: bytes(~b & 255 for b in bytes(a)), "TypeError"),
    "the timed length": ("bytes_in", lambda a: P.bytes_in(a[:11]), "gave"),
    "a leak of C's": ("bytes_out", lambda: MALLOC(20) and P.bytes_out(), "keeps memory"),
    "a leak": ("bytes_out", lambda: LEAKED.append(bytearray(1)) or P.bytes_out(), "keeps memory"),
    "one array": ("array_out", lambda n: filled(MEMORY[:n], P.array_out(n)), "share memory"),
    "whole numbers": ("list_out", lambda n: [*map(int, P.list_out(n))], "gave ["),
    "another dtype": ("array_out", lambda n: P.array_out(n).astype("f4"), "dtype=float32"),
    "one list": ("list_out", lambda n: filled(LIST, P.list_out(n)), "share memory"),
    "an operand emptied": ("list_in", lambda a: (P.list_in(a), a.clear())[0], "left [] in a"),
    "the timed stride": ("strided_in", lambda a: P.strided_in(packed(a)), "gave"),
    "one object": ("struct_out", lambda x, y: type(ONE).__init__(ONE, x, y) or ONE, "share memory"),
    "one message": ("error", lambda a: P.error(7 if a in range(1, 64) else a), "code 7'), not"),
    "unwritten": ("array_inplace", lambda a, b: P.array_inplace(deepcopy(a), b), "left array"),
}


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for a GIL that is not released."""
    monkeypatch.setattr(fresh, "WAIT", 0.2)


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_pattern_is_found(name: str) -> None:
    row, function, says = FAULTS[name]
    assert fresh.wrong_rows(backend(), [row], random.Random()) == []
    (said,) = fresh.wrong_rows(backend(**{row: function}), [row], random.Random())
    assert said.startswith(f"patterns.{row}: ")
    assert says in said


def test_every_row_has_other_operands() -> None:
    draw = random.Random(1)
    for name, row in rows.ALL.items():
        asked = {repr(fresh._again(row, draw)) for _ in range(20)}
        assert len(asked) > 1 or not row.arguments, name


def test_a_gil_that_is_held_is_found() -> None:
    held = backend(noop_nogil=lambda: None)
    assert fresh.wrong_rows(held, ["noop_nogil"], random.Random()) == [
        "patterns.noop_nogil: holds the GIL"
    ]
    assert fresh.wrong_rows(backend(), ["noop_nogil"], random.Random()) == []


def test_a_gil_that_is_released_everywhere_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fresh, "GLANCE", 5.0)  # ends as soon as it is seen
    freed = backend(noop=P.noop_nogil)
    (said,) = fresh.wrong_rows(freed, ["noop"], random.Random())
    assert said == "patterns.noop: releases the GIL, and is not marked for it"
    (said,) = fresh._wrong_gil(backend(str_out=P.noop_nogil), ["str_out"])
    assert said == "patterns.str_out: releases the GIL, and is not marked for it"


# ---- a binding of your own ----------------------------------------------------------------------

MINE = """
import operator

def add_int(a, b):
    a, b = operator.index(a), operator.index(b)
    if not all(-(2**63) <= value < 2**63 for value in (a, b)):
        raise OverflowError("not an int64")
    return {result}

def strided_in(a):
    return add_int
"""


@pytest.mark.parametrize(("result", "right"), [("a + b", True), ("7000", False)])
def test_an_outside_binding_is_judged_by_what_it_has(
    result: str, right: bool, made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"mine_{right}.py"
    path.write_text(MINE.format(result=result.replace("a + b", "(a + b + 2**63) % 2**64 - 2**63")))
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(outside, "INHERITED", {})
    module = outside.load(outside.admit(str(path)))
    assert {str(tmp_path)} == {*outside.INHERITED.values()}
    wrong = answers.wrong_answers(module, ["patterns"], ["add_int", "noop"], made)
    assert (wrong == []) == right
    assert all("add_int" in one for one in wrong)
    assert any("strided_in" in one for one in fresh.wrong_rows(module, rows.ALL, random.Random()))


def test_a_module_without_functions_of_the_protocol_is_refused() -> None:
    with pytest.raises(ImportError, match="json has no function of the protocol"):
        outside.load("json")


# ---- kernels -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return small inputs."""
    folder = tmp_path_factory.mktemp("inputs")
    data = b"".join(inputs.clicks(20))
    text = "".join(inputs.sample_texts(2000))
    inputs.save_tiktoken(inputs.train([text], 300, inputs.PATTERN), folder / "ranks.tiktoken")
    return inputs.Inputs(folder, data, data, text)


def kernel(**changed: Any) -> Any:
    """Return the NumPy or Python binding with other kernels."""
    return SimpleNamespace(
        **{**vars(PYTHON), "__name__": "ffi_cookbook.bindings.made_up", **changed}
    )


def asked(module: Any, name: str, made: Any) -> list[str]:
    return answers.wrong_answers(module, [name], [], made)


def test_a_product_by_identity_is_found(made: Any) -> None:
    known: dict[tuple[int, int], Any] = {}
    kept: list[Any] = []  # so that no other array gets the same identity

    def matmul(a: Any, b: Any) -> Any:
        kept.extend((a, b))
        return known.setdefault((id(a), id(b)), a @ b)

    assert "matmul 8: beyond the error bound" in asked(kernel(matmul=matmul), "matmul", made)
    assert asked(kernel(matmul=ffi_cookbook.load("capi").matmul), "matmul", made) == []


@pytest.mark.parametrize("size", [16, 24, 384, 1024])
def test_a_product_that_is_wrong_at_one_size_is_found(size: int, made: Any) -> None:
    def matmul(a: Any, b: Any) -> Any:
        if len(a) == size:
            a, b = a.astype(np.float16).astype(np.float32), b
        return a @ b

    said = asked(kernel(matmul=matmul), "matmul", made)
    assert said == [f"matmul {size}: beyond the error bound"]


def unchecked(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a reader that repairs every checksum before it reads."""

    def decode(buffer: Any, *others: Any) -> Any:
        data = b"".join(inputs.frame(frame[12:-4]) for frame in inputs.frames(bytes(buffer)))
        return function(data, *others)

    return decode


def test_a_reader_that_checks_no_crc_is_found(made: Any) -> None:
    assert asked(PYTHON, "records", made) == []
    said = asked(kernel(decode_examples=unchecked(PYTHON.decode_examples)), "records", made)
    for place in ("length CRC", "data", "data CRC"):
        assert f"records decode: reads a record whose {place} is damaged" in said


@pytest.mark.parametrize("name", ["records", "CRC", "tokenizer"])
def test_what_is_wrong_only_for_large_inputs_is_found(name: str, made: Any) -> None:
    large = replace(made, records=made.records * 40, text=made.text * 12)
    right = PYTHON.decode_examples

    def decode(buffer: Any, names: Any, memory: Any, *others: Any) -> Any:
        if name == "CRC" and len(buffer) > len(made.records) * 20:
            return unchecked(right)(buffer, names, memory, *others)
        found = right(buffer, names, memory, *others)
        if name == "records" and len(buffer) > len(made.records) * 20:
            memory[:8] ^= 1
        return found

    def tokenizer(model: Any) -> Any:
        encode = PYTHON.Tokenizer(model).encode
        return SimpleNamespace(encode=lambda text: encode(text[:20_000]))

    says = {
        "records": "differs from the answers to parts of the file",
        "CRC": "reads a whole file in which a record's",
        "tokenizer": "differs from the answer in plain Python, for the whole text",
    }
    of = "tokenizer" if name == "tokenizer" else "records"
    changes = {"Tokenizer": tokenizer} if name == "tokenizer" else {"decode_examples": decode}
    assert asked(kernel(), of, large) == []
    assert says[name] in " ".join(asked(kernel(**changes), of, large))


def test_a_kernel_that_remembers_its_inputs_is_found(made: Any) -> None:
    def remembering(model: Any) -> Any:
        encode, known = PYTHON.Tokenizer(model).encode, dict[int, Any]()
        get, put = known.get, known.setdefault
        return SimpleNamespace(encode=lambda t: get(hash(t)) or put(hash(t), list(encode(t))))

    said = asked(kernel(Tokenizer=remembering), "tokenizer", made)
    assert "times as long with a new input" in " ".join(said)


def test_a_tokenizer_that_keeps_texts_is_found(made: Any) -> None:
    def keeping(model: Any) -> Any:
        return SimpleNamespace(encode=functools.lru_cache(4)(PYTHON.Tokenizer(model).encode))

    assert asked(PYTHON, "tokenizer", made) == []
    assert "tokenizer text: keeps the input" in asked(kernel(Tokenizer=keeping), "tokenizer", made)


# ---- workers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sent", "whole"), [("1", True), ("2", False), (None, False)])
def test_a_worker_that_ends_in_the_middle_is_found(
    sent: str | None, whole: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = ["print('[1]')"] + ([f"print('{{\"{process.SENT}\": {sent}}}')"] if sent else [])
    (tmp_path / "worker.py").write_text("\n".join(lines))
    monkeypatch.setattr(process, "COMMAND", (sys.executable, os.fspath(tmp_path / "worker.py")))
    if whole:
        assert list(process.answers("sample")) == [[1]]
    else:
        with pytest.raises(process.WorkerFailed, match="ended in the middle, after 1 answers"):
            list(process.answers("sample"))
