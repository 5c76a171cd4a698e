"""The acts of a hostile object when it is asked for something: the table ACTS.

An act changes other arguments of the case, calls back into the binding, or raises. An act that
fails (a shape that does not fit, a buffer that is exported) is dropped.
"""

from __future__ import annotations

import gc
import mmap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from .case import Case

ODD = [
    0,
    1,
    -1,
    2,
    7,
    8,
    2**31,
    2**32,
    2**45,
    2**60,
    2**61,
    2**62,
    2**63 - 1,
    -(2**63),
    -8,
    -(2**40),
]
RAISED = [KeyError, KeyboardInterrupt, SystemExit, MemoryError, GeneratorExit, RecursionError]
RAISED += [StopIteration, OSError, RuntimeError, TypeError, ValueError, AttributeError, IndexError]


RAISED += [BaseException, StopAsyncIteration, AssertionError, ImportError, ZeroDivisionError]
RAISED += [BufferError, OverflowError, UnicodeError, Warning, NotImplementedError]


class Oops(Exception):
    """An exception that no binding knows."""


class Mute(Exception):
    """An exception that raises another when it is described."""

    def __str__(self) -> str:
        raise RuntimeError("an exception that cannot be described")

    __repr__ = __str__


def _unicode(text: str) -> UnicodeEncodeError:
    return UnicodeEncodeError("utf-8", text, 0, 1, text)


def _group(text: str) -> BaseExceptionGroup[KeyboardInterrupt]:
    return BaseExceptionGroup(text, [KeyboardInterrupt()])


class Act(NamedTuple):
    """An act: its description, and its function."""

    text: str
    run: Callable[[Case], None]


def nothing(case: Case) -> Act:
    return Act("", lambda case: None)


def raising(case: Case) -> Act:
    kind: Any = case.rng.choice([Oops, Oops, Mute, _unicode, _group, *RAISED])

    def run(case: Case) -> None:
        error = kind("from the hostile object")
        case.raised.append(error)
        raise error

    return Act(f"raises {kind.__name__}", run)


def changing(case: Case) -> Act:
    """Change another argument in a way that fits its type."""
    name = case.rng.choice([*case.values])
    how, number = case.rng.randrange(12), case.rng.choice(ODD)

    def run(case: Case) -> None:
        target = case.values.get(name)
        try:
            kind = np.ndarray if isinstance(target, np.ndarray) else type(target)
            if changes := CHANGES.get(kind):
                case.changed = True
                change = changes[how % len(changes)]
                if not (case.function.part == "patterns" and change in UNSAFE):
                    change(target, number)
        except (ValueError, TypeError, BufferError, LookupError, AttributeError):
            return

    return Act(f"changes {name} ({how}, {number})", run)


def calling(case: Case) -> Act:
    """Call the same function of the binding, with its valid arguments or with those of the case."""
    if case.rng.random() < 0.5:
        return Act("calls the function again", lambda case: case.call_again(case.valid))
    return Act("calls the function alike", lambda case: case.call_again(case.values))


def initialising(case: Case) -> Act:
    return Act("calls __init__ of the object again", lambda case: case.initialise_again())


def collecting(case: Case) -> Act:
    return Act("collects garbage", lambda case: void(gc.collect()))


def finding(case: Case) -> Act:
    return Act("uses objects that the collector finds", _use_found)


def _use_found(case: Case) -> None:
    """Use each object of a binding that the collector knows, half-made ones too."""
    if case.depth:
        return
    case.depth = 1
    for found in gc.get_objects():
        uses = USES.get(type(found).__name__, ())
        for use in uses:
            try:
                use(found)
            except Exception:
                continue
    case.depth = 0


USES: dict[str, list[Callable[[Any], object]]] = {
    "Tokenizer": [lambda x: x.encode("an"), lambda x: x.count("an"), lambda x: x.__reduce__()],
    "Counter": [lambda x: x.value, lambda x: x.add(0), lambda x: repr(x)],
    "Point": [lambda x: x.x, lambda x: repr(x)],
}


def void(_: object) -> None:
    """Forget a result."""


def fitting(number: int, dtype: np.dtype[Any]) -> int:
    """Return a number that the dtype holds, so small that no sum of floats is rounded."""
    return number if dtype.kind == "i" and dtype.itemsize == 8 else number & 0x7F


def _fill(array: Any, number: int) -> None:
    array.reshape(-1)[:] = fitting(number, array.dtype)


def _word(array: Any, number: int) -> None:
    flat = array.reshape(-1)
    flat[abs(number) % max(1, flat.size)] = fitting(number, array.dtype)


def _half(array: Any, number: int) -> None:
    array.resize(max(1, array.size // 2), refcheck=False)


CHANGES: dict[type, list[Callable[[Any, int], object]]] = {
    np.ndarray: [
        lambda x, n: setattr(x, "shape", (x.size, 1)),
        lambda x, n: setattr(x, "shape", (1, x.size)),
        lambda x, n: setattr(x, "shape", (x.size,)),
        lambda x, n: setattr(x, "shape", x.shape[::-1]),
        lambda x, n: x.resize(0, refcheck=False),
        _half,
        lambda x, n: x.resize((4 * x.shape[0], *x.shape[1:]), refcheck=False),
        _fill,
        _word,
        lambda x, n: x.setflags(write=False),
        lambda x, n: setattr(x, "dtype", np.uint8),
        lambda x, n: setattr(x, "strides", tuple(0 for _ in x.shape)),
    ],
    bytearray: [
        lambda x, n: x.clear(),
        lambda x, n: x.extend(bytes(9000)),
        lambda x, n: x.__delitem__(slice(0, len(x) // 2)),
        lambda x, n: x.__setitem__(0, n & 255),
    ],
    list: [
        lambda x, n: x.clear(),
        lambda x, n: x.append(n),
        lambda x, n: x.extend(x[:9] * 9),
        lambda x, n: x.__setitem__(slice(None), [None] * len(x)),
        lambda x, n: x.pop(),
    ],
    dict: [lambda x, n: x.clear(), lambda x, n: x.update({str(n): n}), lambda x, n: x.popitem()],
    set: [lambda x, n: x.clear(), lambda x, n: x.add(str(n))],
    memoryview: [lambda x, n: x.release()],
    mmap.mmap: [lambda x, n: x.close(), lambda x, n: x.resize(1)],
}
# These make NumPy free memory that is in use, which no pattern's idiom has to survive.
UNSAFE = CHANGES[np.ndarray][4:7]
ACTS = [nothing, nothing, raising, raising, changing, changing, changing, changing, calling]
ACTS += [collecting, initialising, finding]


def draw_act(case: Case) -> Act:
    """Draw one act, with its particulars, from the case's random numbers."""
    act = case.rng.choice(ACTS)(case)
    case.acts |= bool(act.text)
    return act
