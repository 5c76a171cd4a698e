"""The outcome of a call, in a form that can be compared between bindings.

status      meaning
result      it returned; the text holds everything that it returned and wrote
kernel      it raised an error of the kernels; the text is the error's, with all its fields
refused     it raised TypeError, ValueError or OverflowError at conversion; or, in a pattern, the
            BufferError of memory that its owner does not export
memory      it raised MemoryError that no hostile object raised
own         it raised the exception object that a hostile object raised
swallowed   a hostile object's exception did not come through
stray       it raised an exception of another class
damage      it wrote before memory that it was given
"""

from __future__ import annotations

import array as arrays
import contextlib
from typing import Any, NamedTuple

import numpy as np

from ffi_cookbook.bindings.errors import PatternError, RecordError, TokenizerError

from .agree import BAD, idiom_alone
from .case import Case
from .writer import Writer

# Exceptions that Python itself may take as an answer: a missing attribute, the end of an iteration,
# a type.
ANSWERS = (AttributeError, StopIteration, IndexError, TypeError, ValueError)
ANSWERS += (BufferError, OverflowError, NotImplementedError)
# Python's messages about a list or dict that changes, or lies, while it is read.
CHANGED = (IndexError, KeyError, RuntimeError)


class Verdict(NamedTuple):
    """The outcome of a call, and the questions that it asked hostile objects."""

    status: str
    text: str
    trace: str


def run(case: Case, unraisable: list[str], writer: Writer | None = None) -> Verdict:
    """Call, and judge the outcome. Memory that a writer changed meanwhile cannot be compared."""
    if writer is None:
        status, text = _call(case)
    else:
        _call_in_company(case, writer)
        status, text = "result", ""
    if unraisable:
        status, text = "swallowed", f"unraisable: {unraisable[0]}"
        unraisable.clear()
    if status not in BAD and idiom_alone(case):
        status, text = "result", ""
    if case.memory.damaged():
        status, text = "damage", f"canary overwritten after {status}"
    return Verdict(status, text, " ".join(case.trace) if case.acts else "")


def _call(case: Case) -> tuple[str, str]:
    try:
        result = case.call()
    except BaseException as error:
        return _judge(case, error)
    if lost := lost_of(case):
        return "swallowed", f"{type(lost[0]).__name__} became a result"
    case.depth = 1  # nothing acts while the result is read
    return "result", repr(case.function.digest(case, result))


def _call_in_company(case: Case, writer: Writer) -> None:
    writer.begin(case)
    with contextlib.suppress(BaseException):  # a hostile object raises KeyboardInterrupt, too
        case.call()
    writer.end()


def _judge(case: Case, error: BaseException) -> tuple[str, str]:
    if any(raised in (error, error.__cause__) for raised in case.raised):
        return "own", type(error).__name__  # a generator makes StopIteration a RuntimeError's cause
    if lost := lost_of(case):
        return "swallowed", f"{type(lost[0]).__name__} became {type(error).__name__}"
    if isinstance(error, (RecordError, TokenizerError, PatternError)):
        return "kernel", f"{type(error).__name__}: {error}{after(case)}"
    if isinstance(error, (TypeError, ValueError, OverflowError)):
        return "refused", ""
    if idiom_alone(case) and isinstance(error, CHANGED):
        return "refused", ""
    if type(error) is BufferError and case.function.part == "patterns":
        return "refused", ""  # raised by the owner of the memory
    if type(error) is MemoryError:
        return "memory", ""
    return "stray", f"{type(error).__name__}: {str(error)[:150]}"


def lost_of(case: Case) -> list[BaseException]:
    """Return the exceptions of hostile objects that no binding may drop."""
    return [error for error in case.raised if not isinstance(error, ANSWERS)]


def after(case: Case) -> str:
    """Return the cursor after an error, which is defined then too."""
    cursor = case.values.get("cursor")
    if type(cursor) is np.ndarray and cursor.dtype == np.int64 and cursor.size < 9:
        return f" {cursor.tolist()}"
    return ""


def plain(value: Any) -> Any:
    """Return a value in a form whose repr shows all that matters."""
    if isinstance(value, (bytearray, memoryview, arrays.array)):
        value = np.frombuffer(value, np.uint8)
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            items: Any = [plain(item) for item in value.reshape(-1).tolist()]
        else:
            items = value.tolist() if value.size < 50 else hash(value.tobytes())
        return value.dtype.str, value.shape, items
    if isinstance(value, (tuple, list)):
        return type(value).__name__, [plain(item) for item in value]
    if isinstance(value, (int, float, str, bytes, type(None))):
        return type(value).__name__, value
    return type(value).__name__
