"""Arguments that every records kernel refuses."""

from __future__ import annotations

from itertools import count
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.records.columns.arena import Arena
from support.backends import KERNELS, binding
from support.record_kernels import FILE, SMALL

pytestmark = pytest.mark.part("decode_examples")


def call_with(backend: ModuleType, **changes: Any) -> Any:
    arena = Arena(SMALL, 8, [(100, 100)] * 4)
    arguments: dict[str, Any] = {
        "buffer": FILE,
        "schema": SMALL.buffer,
        "arena": arena.memory,
        "columns": arena.table,
        "cursor": np.zeros(4, np.int64),
        "max_records": 8,
    }
    arguments.update(
        {
            name: change(arguments[name]) if callable(change) else change
            for name, change in changes.items()
        }
    )
    return backend.decode_examples(**arguments)


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
        (ValueError, "schema", lambda s: s[:8] + b"\x09" + s[9:]),
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
        call_with(backend, **{name: change})
    assert not isinstance(caught.value, RecordError)


def test_good_arguments_are_not_refused(backend: ModuleType) -> None:
    assert call_with(backend) == 3


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=40, max_size=40), st.binary(max_size=200)
)
def test_hostile_tables(numbers: list[int], schema: bytes) -> None:
    """No table and no schema makes a kernel access other memory."""
    for name in KERNELS:
        columns = np.array(numbers, np.int64).reshape(4, 10)
        for changes in ({"columns": columns}, {"schema": schema}):
            with pytest.raises((ValueError, RecordError)):
                call_with(binding(name), **changes)
