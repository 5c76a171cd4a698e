"""An exception of a signal handler ends a long call and harms no tokenizer.

The handler returns when it is first called and raises the second time. If it ran only after the
call, it would be called once for all signals, and the call would return.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Thread, stack_size
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffi_cookbook.bindings._glue import signals
from support.vocabularies import vocabulary

pytestmark = pytest.mark.part("Tokenizer", native=True)

SHORT = "a word, 12 numbers and  white space"
# White space that no binding skips in blocks: every two bytes are a pretoken.
UNIT = "a\u3000".encode()
TEXT, PART = UNIT * (1 << 24), UNIT * (1 << 14)
# One pretoken, and no quick merge: a repeated pair is done before the clock is read twice.
GIANT = np.random.default_rng(0).integers(ord("a"), ord("z"), 1 << 25, np.uint8).tobytes()
IDS = np.zeros(1 << 26, np.uint32)  # zero pages, which take no memory


class Oops(Exception):
    """An exception that no binding knows."""


@contextmanager
def raising_handler() -> Iterator[None]:
    """Send signals every 5 ms to a handler that raises the second time it runs."""
    calls = 0

    def handler(*_: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise Oops

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@cache
def out() -> Any:
    return np.empty(len(TEXT), np.uint32)


CALLS: dict[str, tuple[Callable[[Any, Any], Any], Any, Any]] = {
    "encode": (lambda t, text: t.encode(text), TEXT, PART),
    "encode a str": (lambda t, text: t.encode(text), TEXT.decode(), PART.decode()),
    "encode_into": (lambda t, text: t.encode_into(text, out()), TEXT, PART),
    "encode_batch": (lambda t, texts: t.encode_batch(texts), [PART] * 1024, [PART]),
    "encode_batch, two threads": (
        lambda t, texts: t.encode_batch(texts, 2),
        [TEXT] * 2,
        [PART] * 2,
    ),
    "count": (lambda t, text: t.count(text), TEXT, PART),
    "split": (lambda t, text: t.split(text), TEXT, PART),
    "decode": (lambda t, ids: t.decode(ids), IDS, IDS[: len(IDS) // 1024]),
}


def outcome(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(outcome, value))
    return value.tolist() if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize("name", CALLS)
def test_an_exception_of_a_handler_ends_the_call(backend: ModuleType, name: str) -> None:
    call, long, part = CALLS[name]
    words = vocabulary("cl100k")
    tokenizer, other = words.tokenizer(backend), words.tokenizer(backend)
    expected = outcome(call(other, part))
    with pytest.raises(Oops), raising_handler():
        call(tokenizer, long)
    assert outcome(call(tokenizer, part)) == expected
    assert tokenizer.encode(SHORT).tolist() == other.encode(SHORT).tolist()


def test_a_giant_pretoken(backend: ModuleType) -> None:
    """The cache holds nothing of the interrupted call."""
    words = vocabulary("cl100k")
    tokenizer = words.tokenizer(backend)
    with pytest.raises(Oops), raising_handler():
        tokenizer.encode(GIANT)
    text = b" ".join(GIANT[:size] for size in (12, 60, 900, 2000, 9000))
    assert tokenizer.encode(text).tolist() == words.tokenizer(backend).encode(text).tolist()


def test_a_handler_that_returns(backend: ModuleType) -> None:
    """The call continues, and the handler can make the same call."""
    tokenizer, inner = vocabulary("cl100k").tokenizer(backend), []

    def handler(*_: Any) -> None:
        inner.append(tokenizer.count(PART))

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001)
        n = tokenizer.count(UNIT * (1 << 21))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert n == (1 << 7) * tokenizer.count(PART)
    assert set(inner) <= {tokenizer.count(PART)}


def test_another_thread(backend: ModuleType) -> None:
    """Handlers do not run there, and the call runs to its end."""
    tokenizer, counts = vocabulary("cl100k").tokenizer(backend), []
    text = UNIT * (1 << 21)
    thread = Thread(target=lambda: counts.append(tokenizer.count(text)))
    thread.start()
    thread.join()
    assert counts == [tokenizer.count(text)]


# ---- the thread that makes the call for a page in Python -------------------------------------


def test_a_second_signal_while_the_first_ends_the_call() -> None:
    """The call ends first, and then the exception of the first signal comes out."""
    ended = []

    def handler(*_: Any) -> None:
        raise Oops(len(ended))

    def call(stop: signals.Flag) -> None:
        signal.raise_signal(signal.SIGALRM)
        while not stop[0]:
            time.sleep(0.001)
        signal.raise_signal(signal.SIGALRM)
        time.sleep(0.1)
        ended.append(True)

    before = signal.signal(signal.SIGALRM, handler)
    try:
        with pytest.raises(Oops, match="0"):
            signals.interruptible(call)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert ended


def test_where_no_thread_can_be_had() -> None:
    """There is not enough memory for so large a stack."""
    before = stack_size(1 << 46)
    try:
        with pytest.raises(RuntimeError):
            Thread(target=print).start()
        assert signals.interruptible(lambda stop: int(stop[0]) + 1) == 1
    finally:
        stack_size(before)
