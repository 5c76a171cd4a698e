"""After a call, successful or not, no binding exports the memory of a buffer any more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

import pytest

from support.backends import REFUSALS
from support.calls import CALLS, Call

Calls = Callable[[ModuleType], Iterator[Call]]


def check_released(call: Call) -> int:
    """Check that the call's bytearrays can grow, without a garbage collection.

    After an error they can while the exception and its traceback are alive.
    """
    arguments = (*call.arguments, *call.keywords.values())
    buffers = [argument for argument in arguments if isinstance(argument, bytearray)]
    call.again()
    try:
        call.function(*call.arguments, **call.keywords)
    except (*REFUSALS, AttributeError, BufferError, LookupError):
        for buffer in buffers:
            buffer.append(0)
    for buffer in buffers:
        buffer.append(0)
    return len(buffers)


@pytest.mark.part("index_records")
@pytest.mark.parametrize("calls", CALLS["index_records"].values(), ids=CALLS["index_records"])
def test_buffers_are_released(backend: ModuleType, calls: Calls) -> None:
    assert sum(check_released(call) for call in calls(backend)) > 2


@pytest.mark.part("Tokenizer")
@pytest.mark.parametrize("calls", CALLS["Tokenizer"].values(), ids=CALLS["Tokenizer"])
def test_more_buffers_are_released(backend: ModuleType, calls: Calls) -> None:
    assert sum(check_released(call) for call in calls(backend)) > 0
