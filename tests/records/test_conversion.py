"""How a records kernel converts integers, flags, tables and buffers, and in which order."""

from __future__ import annotations

import sys
from decimal import Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.kernel_arguments import SPANS, arguments


class Index:
    """An object that has only __index__."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Int(Index):
    """A number that conversion would truncate."""

    __index__ = None  # type: ignore[assignment]

    def __int__(self) -> int:
        return self.value


def fixed(k: ModuleType, **changes: Any) -> Any:
    memory, others, _ = arguments("decode_fixed")
    return k.decode_fixed(**{**memory, **others, **changes})


@pytest.mark.part("decode_fixed")
@pytest.mark.parametrize("argument", ["max_records", "record_size"])
def test_integers_are_what_has_index(backend: ModuleType, argument: str) -> None:
    right = fixed(backend, **{argument: Index(4 if argument == "max_records" else 32)})
    assert right in (4, 5)
    cut = (Decimal("4.9"), Fraction(9, 2), 4.0, np.float32(4.5), np.array(4.5), Int(4), "4", None)
    for value in cut:
        with pytest.raises(TypeError):
            fixed(backend, **{argument: value})
    for value in (2**63, -(2**63) - 1, Index(2**70)):
        with pytest.raises(OverflowError):
            fixed(backend, **{argument: value})


@pytest.mark.part("index_records")
@pytest.mark.parametrize("flag", ["verify", "final", "resync"])
def test_flags_are_bools(backend: ModuleType, flag: str) -> None:
    for value in (1, None, "", np.True_, np.zeros(2)):
        memory, others, _ = arguments("index_records")
        with pytest.raises(TypeError):
            backend.index_records(**memory, **others, **{flag: value})


@pytest.mark.part("index_records")
def test_tables_are_numpy_arrays(backend: ModuleType) -> None:
    memory, _, _ = arguments("index_records")
    for table in ("spans", "cursor"):
        array = memory[table]
        for wrong in (memoryview(array), bytearray(array.nbytes), array.view("M8[s]"), [0] * 4):
            with pytest.raises(TypeError):
                backend.index_records(**{**memory, table: wrong})
        same = array.view(np.longlong)
        assert backend.index_records(**{**memory, table: same}) == 4
        memory["cursor"][...] = 0


class Liar(np.ndarray[Any, np.dtype[np.int64]]):
    """An array that claims a hundred times its length, and exports other memory."""

    shape = property(lambda self: (400, 2))  # type: ignore[assignment]
    size = property(lambda self: 800)  # type: ignore[assignment]

    def __len__(self) -> int:
        return 400

    def __dlpack__(self, **_: Any) -> Any:
        return np.zeros(3, np.int64).__dlpack__()


@pytest.mark.part("index_records")
def test_a_subclass_cannot_lie(backend: ModuleType) -> None:
    memory, _, _ = arguments("index_records")
    spans = memory["spans"][:2]
    rows = backend.index_records(memory["buffer"], spans.view(Liar), memory["cursor"].view(Liar))
    assert rows == 2
    assert spans.tolist() == SPANS[:2].tolist()


def reshape(table: Any) -> None:
    table.shape = (table.size, 1)


def retype(table: Any) -> None:
    """Make eight rows of bytes from each row of words."""
    rows, words = table.shape
    table.dtype = np.uint8
    table.shape = (8 * rows, words)


class Changes(Index):
    """An index or a buffer that changes a table when it is first asked."""

    def __init__(self, value: Any, change: Any, table: Any) -> None:
        super().__init__(value)
        self.changes = iter([lambda: change(table)])

    def __index__(self) -> int:
        for change in self.changes:
            change()
        return self.value

    def __buffer__(self, flags: int) -> memoryview:
        return memoryview(self.__index__())  # type: ignore[arg-type]


ASKED = ["max_records", "record_size"]
if sys.version_info >= (3, 12):  # only these call __buffer__ of a class written in Python
    ASKED += ["buffer", "schema"]


TABLES = [
    ("index_records", "spans"),
    ("decode_examples", "columns"),
    ("gather_examples", "columns"),
    ("gather_examples", "spans"),
    ("decode_fixed", "fields"),
]


@pytest.mark.part("index_records")
@pytest.mark.parametrize("change", [reshape, retype])
@pytest.mark.parametrize(("function", "name"), TABLES)
@pytest.mark.filterwarnings("ignore:Setting the (shape|dtype):DeprecationWarning")
def test_no_argument_can_change_a_table(
    backend: ModuleType, function: str, name: str, change: Any
) -> None:
    """Arguments that can run code are converted before dtypes and sizes are read."""
    for argument in ASKED if hasattr(backend, function) else ():
        memory, others, _ = arguments(function)
        given = {**memory, **others}
        if argument not in given:
            continue
        given[name] = given[name].copy()
        given[argument] = Changes(given[argument], change, given[name])
        with pytest.raises((TypeError, ValueError), match=f"^{name} must"):  # before the kernel
            getattr(backend, function)(**given)


@pytest.mark.part("index_records")
@pytest.mark.parametrize("buffer", [np.array(5, np.uint8), np.void(b"abcd"), np.float64(1)])
def test_any_contiguous_buffer_is_taken(backend: ModuleType, buffer: Any) -> None:
    memory, _, _ = arguments("index_records")
    assert backend.index_records(buffer, memory["spans"], memory["cursor"], final=False) == 0
