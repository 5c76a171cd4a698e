"""matmul: arguments that run code or lie, and several faults in one call."""

from __future__ import annotations

import re
from types import ModuleType

import numpy as np
import pytest

from support.matrices import Array
from support.processes import run_in_child

pytestmark = pytest.mark.part("matmul")

N = 1000  # N * N numbers exceed the memory after a small array

INDEX = """
a, b, out = np.ones((1, {n})), np.ones(({n}, 1)), {out}
class Sub(np.ndarray):
    pass
if {subclass}:
    a, b, out = (x if x is None else x.view(Sub) for x in (a, b, out))
class Threads:
    asked = 0
    def __index__(self):
        Threads.asked += 1
        {change}
        return 1
try:
    product = k.matmul(a, b, out=out, threads=Threads())
    assert {answered} and (product == np.asarray(a) @ np.asarray(b)).all(), product
except (TypeError, ValueError):
    assert not {answered}
assert Threads.asked == 1, Threads.asked
"""

# The change when `threads` is read, the argument `out`, and True if the call then has a result.
CHANGES = [
    ("a.shape, b.shape = ({n}, 1), (1, {n})", "None", True),
    ("a.strides = b.strides = 0, 0; a[0, 0] = 2", "None", True),
    ("a.dtype = b.dtype = np.float32", "None", False),
    ("a.dtype = np.float32", "None", False),
    ("b.dtype = np.uint8", "None", False),
    ("a.shape = ({n},)", "None", False),
    ("a[0, 0] = 2", "np.zeros((1, 1))", True),
    ("out.shape = (1,)", "np.zeros((1, 1))", False),
    ("out.strides = 0, 0", "np.zeros((2, 2))[:1, :1]", True),
    ("a.shape, b.shape = (2, -1), (-1, 2); out.strides = 0, 0", "np.zeros((2, 2))", False),
    ("out.flags.writeable = False", "np.zeros((1, 1))", False),
    ("out.dtype = np.uint8", "np.zeros((1, 1))", False),
]


@pytest.mark.parametrize("subclass", [False, True], ids=["arrays", "of a subclass"])
def test_threads_that_change_the_arrays(backend: ModuleType, subclass: bool) -> None:
    """The arrays are multiplied in their state after all arguments have been read."""
    snippets = [
        INDEX.format(n=N, change=change.format(n=N), out=out, answered=answered, subclass=subclass)
        for change, out, answered in CHANGES
    ]
    run_in_child(backend, snippets)


def test_out_beside_the_items_of_an_operand(backend: ModuleType) -> None:
    """An operand whose strides are not multiples of its item size is not copied beforehand."""
    memory = np.zeros(400, np.uint8)
    packed = memory[:90].view([("x", "<f8"), ("y", "i1")])["x"]  # 10 numbers, 9 bytes apart
    a = packed[:9].reshape(3, 3) if packed.flags.c_contiguous else None
    a = np.lib.stride_tricks.as_strided(packed, (3, 3), (27, 9)) if a is None else a
    a[...] = np.arange(9.0).reshape(3, 3)
    before = memory.copy()
    for start in (0, 8, 72):
        out = memory[start : start + 72].view(np.float64).reshape(3, 3)
        with pytest.raises(ValueError, match=r"^out must not overlap a or b$"):
            backend.matmul(a, np.eye(3), out=out)
        with pytest.raises(ValueError, match=r"^out must not overlap a or b$"):
            backend.matmul(np.eye(3), a, out=out)
    assert (memory == before).all()
    beside = memory[96:168].view(np.float64).reshape(3, 3)
    assert (backend.matmul(a, np.eye(3), out=beside) == np.arange(9.0).reshape(3, 3)).all()


A, B = np.ones((3, 4)), np.ones((4, 5))


def test_a_column_of_any_stride(backend: ModuleType) -> None:
    """The stride of a single column is never used, so that it may be 0 too."""
    a: Array = np.arange(12.0).reshape(4, 3)
    for stride in (0, 8, -8, 4096, 1 << 40):
        column = np.lib.stride_tricks.as_strided(np.ones(1), (3, 1), (0, stride))
        assert (backend.matmul(a, column) == a @ np.ones((3, 1))).all(), stride
        row = np.lib.stride_tricks.as_strided(np.ones(1), (1, 4), (stride, 0))
        assert (backend.matmul(row, a) == np.ones((1, 4)) @ a).all(), stride


def test_messages_name_the_argument(backend: ModuleType) -> None:
    for name, call in (("a", (None, B)), ("b", (A, None)), ("out", (A, B, None))):
        keywords = {"out": object()} if name == "out" else {}
        with pytest.raises((TypeError, ValueError)) as caught:
            backend.matmul(*call[:2], **keywords)
        notes = getattr(caught.value, "__notes__", [])  # PyO3 names it in a note
        assert re.search(rf"\b{name}\b", " ".join([str(caught.value), *notes]))
