"""Thousands of calls, successes and failures, leave nothing behind."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest
from backends import NATIVE
from every_call import CALLS, Call

Calls = Callable[[ModuleType], Iterator[Call]]
HOW_OFTEN = [2_000, pytest.param(10_000, marks=pytest.mark.full)]
MOST_BLOCKS = 50
MOST_BYTES = 15  # a call: malloc gives out 16 at least
MANY = 1000
N_WARM = 100
MOST_ROUNDS = 10


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
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    mallinfo2.restype = MallInfo
    info = mallinfo2()
    return int(info.uordblks + info.hblkhd)


def references(call: Call) -> list[int]:
    """The reference counts of all that has a part in a call and is not everybody's, as 0 is."""
    owner = getattr(call.function, "__self__", call)
    things = [*call.arguments, *call.keywords.values(), call.function, owner]
    return [count for count in map(sys.getrefcount, things) if count < MANY]


def growth(call: Call, n: int) -> tuple[int, int]:
    """By how many of Python's blocks, and of malloc's bytes, n calls make the process grow."""
    gc.collect()
    blocks, size = sys.getallocatedblocks(), native_bytes()
    call.repeat(n)
    gc.collect()
    return sys.getallocatedblocks() - blocks, native_bytes() - size


def check_no_leak(call: Call, n: int, most_bytes: int) -> None:
    """A leak shows in every round; a table or a cache that fills shows in fewer and fewer."""
    held = references(call)
    call.repeat(N_WARM)
    for _ in range(MOST_ROUNDS):
        blocks, size = growth(call, n)
        if blocks < MOST_BLOCKS and size < most_bytes:
            break
    else:
        pytest.fail(f"{blocks} blocks and {size} bytes more after {n} calls")
    assert references(call) == held


def check_all(backend: ModuleType, calls: Calls, n: int) -> None:
    native = backend.__name__.split(".")[-1] in NATIVE
    for number, call in enumerate(calls(backend)):
        print(f"call {number}: {call}")
        check_no_leak(call, n if native else 300, MOST_BYTES * n)


@pytest.mark.part("matmul")
@pytest.mark.parametrize("n", HOW_OFTEN)
@pytest.mark.parametrize("calls", CALLS["matmul"].values(), ids=CALLS["matmul"])
def test_no_leaks(backend: ModuleType, calls: Calls, n: int) -> None:
    check_all(backend, calls, n)


@pytest.mark.part("Tokenizer")
@pytest.mark.parametrize("n", HOW_OFTEN)
@pytest.mark.parametrize("calls", CALLS["Tokenizer"].values(), ids=CALLS["Tokenizer"])
def test_no_leaks_in_more(backend: ModuleType, calls: Calls, n: int) -> None:
    check_all(backend, calls, n)
