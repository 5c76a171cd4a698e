"""Attacks on the class Average: objects that are half made, copied, used again, or collected."""

from __future__ import annotations

import contextlib
import copy
import gc
import pickle
import threading
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from .answers import ema
from .functions import N, identity
from .objects import Made
from .outcomes import REFUSED, Attack, leaks, outcome, same

PART = np.array([1.0, 2.0, 4.0])
EXPECTED = np.split(ema(np.tile(PART, 3)), 3)
"""The first three answers of an average to PART."""
WRONG = ((5.0,), (float("nan"),), ("text",), (), (0.5, 0.5, 0.5))
"""Arguments that __init__ refuses."""


def duplicates() -> dict[str, Callable[[Any], Any]]:
    ways: dict[str, Callable[[Any], Any]] = {"copy": copy.copy, "deepcopy": copy.deepcopy}
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        ways[f"pickle {protocol}"] = lambda x, p=protocol: pickle.loads(pickle.dumps(x, p))
        ways[f"__reduce_ex__({protocol})"] = lambda x, p=protocol: rebuilt(x.__reduce_ex__(p))
    return ways


def rebuilt(reduced: Any) -> Any:
    function, arguments, state, *_ = *reduced, None
    made = function(*arguments)
    if state is not None:
        made.__setstate__(state) if hasattr(made, "__setstate__") else vars(made).update(state)
    return made


def steps(made: Any, *at: int) -> Iterator[str]:
    """Yield a fault unless the next answer of an object is one of these."""
    got = outcome(made.update, PART)
    if not any(same(got, EXPECTED[number]) for number in at):
        yield f"{got!r:.60}, not answer {at}"


def class_attacks(kind: Any) -> Iterator[tuple[str, Attack]]:
    def wrong_self() -> Iterator[str]:
        for other in (3, None, object(), "text", kind, np.ones(3), Made(), [1]):
            if (got := outcome(kind.update, other, PART)) is not REFUSED:
                yield f"update of {other!r:.30} gives {got!r:.60}"

    def unmade(make: Callable[[], Any]) -> Iterator[str]:
        """Yield a fault if an object that was never initialised gives an answer."""
        held = [bytearray(b"\xab" * size) for size in (16, 24, 32, 48, 64, 96) * 200]
        del held  # freed memory that is not zero
        made = outcome(make)
        if made is REFUSED:
            return
        repr(made)
        outcome(hash, made)
        for duplicate in (lambda x: x, *duplicates().values()):
            other = outcome(duplicate, made)
            if other is not REFUSED and (got := outcome(other.update, PART)) is not REFUSED:
                yield f"it gives {got!r:.60}"

    def copied(duplicate: Callable[[Any], Any]) -> Iterator[str]:
        made = kind(0.5)
        yield from steps(made, 0)
        second = outcome(duplicate, made)
        yield from steps(made, 1)
        if second is not REFUSED:
            yield from steps(second, 1)
            del made
            gc.collect()
            for other in [kind(0.5) for _ in range(50)]:
                outcome(other.update, PART)
            yield from steps(second, 2)

    def again(*arguments: Any) -> Iterator[str]:
        """Call __init__ a second time: the object goes on as before, or from the start."""
        made = kind(0.5)
        yield from steps(made, 0)
        outcome(made.__init__, *arguments)
        yield from steps(made, 0, 1)

    def goes_on(wrong: tuple[Any, ...]) -> Iterator[str]:
        """Use an object whose __init__ has failed within a subclass's."""

        def init(self: Any, *_: Any) -> None:
            outcome(lambda: kind.__init__(self, *wrong))

        made = outcome(lambda: type("Sub", (kind,), {"__init__": init})(0.5))
        if made is not REFUSED:  # made by __new__, or never
            yield from steps(made, 0)

    def reentrant() -> Iterator[str]:
        made = kind(0.5)

        def convert(self: Any) -> float:
            outcome(made.__init__, 0.5)
            outcome(made.update, PART)
            return 0.5

        outcome(made.__init__, Made(__float__=convert, __index__=convert))
        outcome(made.update, PART)
        return iter(())

    def collected(make: Callable[[], Any]) -> Iterator[str]:
        """Yield a fault if an object stays, or one of a subclass that refers to itself."""
        made = outcome(make)
        reference = outcome(weakref.ref, made)
        if made is REFUSED or reference is REFUSED:
            return
        yield from steps(made, 0)
        if hasattr(made, "__dict__"):
            made.me = made
        del made
        gc.collect()
        if reference() is not None:
            yield "the object stays"

    def threads() -> Iterator[str]:
        """Yield a fault if a call saw the state of another one that had not ended."""
        shared, results = kind(0.5), list[Any]()

        def feed(value: float) -> None:
            for _ in range(20):
                with contextlib.suppress(RuntimeError):  # PyO3 refuses the second of two calls
                    results.append((value, shared.update(np.full(N, value))))

        running = [threading.Thread(target=feed, args=(value,)) for value in (0.0, 1.0)]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        if any(not np.array_equal(y[1:], y[:-1] + 0.5 * (value - y[:-1])) for value, y in results):
            yield "two calls have mixed"

    yield "update, wrong self", wrong_self
    makers = {base.__name__: partial(base.__new__, kind) for base in kind.__mro__}
    for name, make in makers.items():
        yield f"Average, {name}.__new__ alone", partial(unmade, make)
    for name, duplicate in duplicates().items():
        yield f"Average, {name}", partial(copied, duplicate)
    yield "Average, a second __init__", partial(again, 0.5)
    for wrong in WRONG:
        yield f"Average, __init__{wrong} fails", partial(again, *wrong)
        yield f"Average{wrong} in a subclass that goes on", partial(goes_on, wrong)
        yield f"Average{wrong}, leaks", partial(leaks, kind, *wrong)
    for error in (KeyError("from Python"), KeyboardInterrupt()):
        make = partial(identity, lambda _, alpha: kind(alpha), error)
        yield f"Average, __float__ raises {error!r}", make
    yield "Average, __init__ that comes back", reentrant
    yield "Average is collected", partial(collected, partial(kind, 0.5))
    yield "a subclass is collected", partial(collected, lambda: type("Sub", (kind,), {})(0.5))
    made = kind(0.5)
    yield "Average, leaks", partial(leaks, lambda: kind(0.5).update(PART))
    yield "Average, leaks of a second __init__", partial(leaks, made.__init__, 0.5)
    yield "Average, leaks of __new__", partial(leaks, kind.__new__, kind)
    yield "Average, two threads", threads
