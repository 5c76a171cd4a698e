"""Arguments that every records kernel refuses."""

from __future__ import annotations

import sys
from itertools import count
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from ffi_cookbook.bindings.errors import RecordError
from support.kernel_arguments import arguments

pytestmark = pytest.mark.part("decode_examples")


def call_with(backend: ModuleType, name: str, change: Any) -> Any:
    memory, others, _ = arguments("decode_examples")
    given = {**memory, **others}
    given[name] = change(given[name]) if callable(change) else change
    return backend.decode_examples(**given)


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array = array.copy()
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("error", "name", "change"),
    [
        (TypeError, "buffer", "text"),
        (TypeError, "buffer", None),
        (TypeError, "buffer", [1, 2]),
        (TypeError, "schema", "text"),
        (TypeError, "arena", None),
        (TypeError, "arena", lambda a: a.view(np.int64)),
        (TypeError, "columns", lambda a: a.tolist()),
        (TypeError, "columns", lambda a: a.astype(np.int32)),
        (TypeError, "columns", lambda a: a.astype(np.float64)),
        (TypeError, "columns", lambda a: a.astype(">i8")),
        (TypeError, "cursor", lambda a: a.tolist()),
        (TypeError, "max_records", "8"),
        (ValueError, "buffer", lambda b: memoryview(b)[::2]),
        (ValueError, "buffer", lambda b: np.frombuffer(b, np.uint8)[::-1]),
        (ValueError, "arena", frozen),
        (ValueError, "arena", lambda a: a[::2]),
        (ValueError, "columns", frozen),
        (ValueError, "columns", lambda a: a[:, :9].copy()),
        (ValueError, "columns", lambda a: a.reshape(-1)),
        (ValueError, "columns", lambda a: np.asfortranarray(a)),
        (ValueError, "cursor", frozen),
        (ValueError, "cursor", lambda a: np.zeros(5, np.int64)),
        (ValueError, "cursor", lambda a: np.zeros((1, 4), np.int64)),
        (ValueError, "cursor", lambda a: a - 1),
        (ValueError, "cursor", lambda a: a + 2**40),
        (ValueError, "max_records", 2**40),
        (ValueError, "max_records", -1),
        (ValueError, "schema", lambda s: s[:-1]),
        (ValueError, "schema", b""),
        (ValueError, "schema", lambda s: b"".join([s[:8], b"\x09", s[9:]])),
        (ValueError, "arena", lambda a: a[:-64].copy()),
        (ValueError, "columns", lambda a: a + 1),
        (ValueError, "columns", lambda a: -a - 5),
        (ValueError, "columns", lambda a: a + 2**62),
    ],
    ids=count(),
)
def test_refused_arguments(
    backend: ModuleType, error: type[Exception], name: str, change: Any
) -> None:
    with pytest.raises(error) as caught:
        call_with(backend, name, change)
    assert not isinstance(caught.value, RecordError)


@pytest.mark.part("decode_examples")
@pytest.mark.parametrize(
    ("function", "name"), [("gather_examples", "spans"), ("decode_fixed", "fields")]
)
def test_a_table_that_is_only_read_may_be_read_only(
    backend: ModuleType, function: str, name: str
) -> None:
    memory, others, _ = arguments(function)
    assert getattr(backend, function)(**{**memory, name: frozen(memory[name])}, **others) > 0


# ---- How a records kernel converts integers, flags, tables and buffers, and in which order.


class Index:
    """An object that has only __index__."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


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
        return memoryview(self.__index__())


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
