"""The check of an outside binding: its functions must return the python binding's results."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import numpy as np

import ffi_cookbook
from ffi_cookbook.comparison.gil import releases
from ffi_cookbook.comparison.operands import CALLS, WRONG, find

ROUNDS = 30
WAIT = 10.0
"""The seconds at most in which a call should release the GIL."""
REFUSALS = (TypeError, ValueError, OverflowError)


def complaint(module: Any, name: str, draw: random.Random) -> str | None:
    """Return the fault of the module's function of that name, or None."""
    try:
        function = find(module, name)
    except Exception as error:
        return f"{name.split('.')[0]}(model) raised {error!r}"
    reference = find(ffi_cookbook.load("python"), name)
    assert function is not None
    assert reference is not None
    for _ in range(ROUNDS):
        arguments = CALLS[name](draw)
        if wrong := _differs(function, reference, name, arguments):
            return wrong
    if name == "noop_nogil" and not releases(function, CALLS[name](draw), WAIT):
        return f"{name} holds the GIL"
    if name == "index_records":
        for _ in range(ROUNDS):
            if wrong := _differs(function, reference, name, _damaged(CALLS[name](draw), draw)):
                return f"a record of which a bit was changed: {wrong}"
    arguments = CALLS[name](draw)
    for place in range(len(arguments)):
        for value in WRONG:
            bad = (*arguments[:place], value, *arguments[place + 1 :])
            if wrong := _differs(function, reference, name, bad):
                return wrong
    return None


def _damaged(arguments: tuple[Any, ...], draw: random.Random) -> tuple[Any, ...]:
    """Return the arguments with one bit changed in the first record, outside its length."""
    data = bytearray(arguments[0])
    end = 16 + int.from_bytes(data[:8], "little")
    data[draw.randrange(8, end)] ^= 1 << draw.randrange(8)
    return (bytes(data), *arguments[1:])


def _differs(
    function: Callable[..., Any], reference: Callable[..., Any], name: str, arguments: Any
) -> str | None:
    """Return the difference between the results of a call, or between its written arguments."""
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    expected, found = _outcome(reference, ours), _outcome(function, theirs)
    call = f"{name}({', '.join(map(_shown, arguments))})"
    if isinstance(expected, Exception):
        if isinstance(found, REFUSALS):
            return None
        what = f"raised {found!r}" if isinstance(found, Exception) else f"returned {_shown(found)}"
        return f"{call} {what}; the protocol asks for a {type(expected).__name__}"
    if isinstance(found, Exception):
        return f"{call} raised {found!r}"
    if not _same(name, arguments, expected, found):
        return f"{call} returned {_shown(found)}, and not {_shown(expected)}"
    for before, after in zip(ours, theirs, strict=True):
        if isinstance(before, np.ndarray) and not np.array_equal(before, after):
            return f"{call} wrote {_shown(after)}, and not {_shown(before)}"
    return None


def _outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    try:
        return function(*arguments)
    except Exception as error:
        return error


def _same(name: str, arguments: Any, expected: Any, found: Any) -> bool:
    if type(expected) is not type(found):
        return False
    if not isinstance(expected, np.ndarray):
        return bool(expected == found)
    if (expected.dtype, expected.shape) != (found.dtype, found.shape):
        return False
    if name != "matmul":
        return bool(np.array_equal(expected, found))
    a, b = (np.abs(operand).astype(float) for operand in arguments)
    bound = a.shape[1] * np.finfo(expected.dtype).eps * (a @ b)
    return bool((np.abs(expected - found) <= bound).all())


def _shown(value: Any) -> str:
    text = repr(value.tolist() if isinstance(value, np.ndarray) else value)
    return text if len(text) < 60 else f"{text[:50]}…"
