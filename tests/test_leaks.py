"""Ten thousand calls, successes and failures, leave nothing behind."""

from __future__ import annotations

import ctypes
import gc
import resource
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest
from calls import CALLS, Call
from doors import NATIVE

Calls = Callable[[ModuleType], Iterator[Call]]
MOST_BLOCKS = 50
MOST_BYTES = 150_000  # 16 bytes a call are 160,000
N_WARM = 100


@pytest.fixture(autouse=True)
def freeze() -> Iterator[None]:
    """Spares the garbage collector all that was there before."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


class MallInfo(ctypes.Structure):
    """mallinfo2 of glibc."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


def native_bytes() -> int:
    """What malloc has given out, where glibc can say; elsewhere the most memory ever in use."""
    try:
        mallinfo2 = ctypes.CDLL(None).mallinfo2
    except (AttributeError, TypeError):
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    mallinfo2.restype = MallInfo
    info = mallinfo2()
    return int(info.uordblks + info.hblkhd)


def references(call: Call) -> list[int]:
    """The reference counts of all that has a part in a call, and of None."""
    owner = getattr(call.function, "__self__", None)
    things = [*call.arguments, *call.keywords.values(), call.function, owner]
    return [sys.getrefcount(thing) for thing in things]


def check_no_leak(call: Call, n: int) -> None:
    held = references(call)
    call.repeat(N_WARM)
    gc.collect()
    blocks, size = sys.getallocatedblocks(), native_bytes()
    call.repeat(n)
    gc.collect()
    blocks, size = sys.getallocatedblocks() - blocks, native_bytes() - size
    drift: list[Any] = [
        after - before for before, after in zip(held, references(call), strict=True)
    ]
    assert all(-MOST_BLOCKS < one < MOST_BLOCKS for one in drift), drift
    assert blocks < MOST_BLOCKS
    assert size < MOST_BYTES


def check_all(backend: ModuleType, calls: Calls) -> None:
    n = 10_000 if backend.__name__.split(".")[-1] in NATIVE else 300
    for number, call in enumerate(calls(backend)):
        try:
            check_no_leak(call, n)
        except AssertionError as error:
            error.add_note(f"call {number}: {call}")
            raise


@pytest.mark.part("matmul")
@pytest.mark.parametrize("calls", CALLS["matmul"].values(), ids=CALLS["matmul"])
def test_no_leaks(backend: ModuleType, calls: Calls) -> None:
    check_all(backend, calls)


@pytest.mark.part("Tokenizer")
@pytest.mark.parametrize("calls", CALLS["Tokenizer"].values(), ids=CALLS["Tokenizer"])
def test_no_leaks_in_more(backend: ModuleType, calls: Calls) -> None:
    check_all(backend, calls)
