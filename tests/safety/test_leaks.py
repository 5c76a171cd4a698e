"""Many calls, successful or not, leak no memory and no references."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from support.backends import NATIVE, PARTS, WITHOUT_GIL
from support.calls import CALLS, Call

Calls = Callable[[ModuleType], Iterator[Call]]
HOW_OFTEN = [500, pytest.param(10_000, marks=pytest.mark.full)]
MOST_BLOCKS = 50
MOST_BYTES = 15  # bytes a call: malloc allocates at least 16
MANY = 1000
N_WARM = 5000 if WITHOUT_GIL else 100  # it keeps 4,000 exceptions with a __dict__ for reuse
MOST_ROUNDS = 10


@pytest.fixture(autouse=True)
def freeze() -> Iterator[None]:
    """Exclude all present objects from garbage collection."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


class MallInfo(ctypes.Structure):
    """The struct mallinfo2 of glibc."""

    _names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = [(name, ctypes.c_size_t) for name in _names.split()]


def native_bytes() -> int:
    """Return the bytes that malloc has allocated; without glibc, the peak memory use."""
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
    """Return the reference counts of the call's objects, except shared ones such as 0."""
    owner = getattr(call.function, "__self__", call)
    things = [*call.arguments, *call.keywords.values(), call.function, owner]
    return [count for count in map(sys.getrefcount, things) if count < MANY]


def growth(call: Call, n: int) -> tuple[int, int]:
    """Return the growth of the process after n calls, in Python blocks and malloc bytes."""
    gc.collect()
    blocks, size = sys.getallocatedblocks(), native_bytes()
    call.repeat(n)
    gc.collect()
    return sys.getallocatedblocks() - blocks, native_bytes() - size


def check_no_leak(call: Call, n: int, most_bytes: int) -> None:
    """Check that not every round grows: with a leak each does, with a cache ever fewer do."""
    held, nothing = references(call), sys.getrefcount(None)
    call.repeat(N_WARM)
    gc.collect()
    assert abs(sys.getrefcount(None) - nothing) < N_WARM // 2  # None is counted before 3.12
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


@pytest.mark.part("matmul")  # every binding has it
@pytest.mark.parametrize("n", HOW_OFTEN)
@pytest.mark.parametrize(
    ("part", "calls"),
    [
        pytest.param(part, calls, id=name)
        for part, some in CALLS.items()
        for name, calls in some.items()
    ],
)
def test_no_leaks(backend: ModuleType, part: str, calls: Calls, n: int) -> None:
    if backend.__name__.rpartition(".")[2] in PARTS[part]:
        check_all(backend, calls, n)
