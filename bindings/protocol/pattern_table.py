"""The table of the patterns: the page of each, and its types, as `Patterns` has them."""

from __future__ import annotations

import inspect
from random import Random
from typing import NamedTuple

from ffi_cookbook.bindings.protocol.patterns import Patterns


class Pattern(NamedTuple):
    """One pattern."""

    page: str
    """Where it is written: bindings/<binding>/patterns/<page>."""
    types: tuple[str, ...]
    """The types of its positional arguments."""
    result: str


def _pattern(page: type, name: str) -> Pattern:
    signature = inspect.signature(getattr(page, name))
    positional = [p for p in signature.parameters.values() if p.kind is not p.KEYWORD_ONLY][1:]
    types = tuple(parameter.annotation for parameter in positional)
    return Pattern(page.__name__.lower(), types, signature.return_annotation)


PATTERNS = {
    name: _pattern(page, name)
    for page in Patterns.__bases__[:-1]  # without Protocol
    for name in vars(page)
    if not name.startswith("_")
}


# ---- operands that every pattern of that type accepts ------------------------------------------


def integer(draw: Random) -> int:
    """Return an int64, small or large."""
    return draw.randint(-(2 ** draw.choice([3, 31, 62])), 2 ** draw.choice([3, 31, 62]))


def number(draw: Random) -> float:
    """Return a float of few digits: sums of such floats are exact in any order."""
    return draw.randint(-4096, 4096) / 64


def text(draw: Random) -> str:
    """Return a text of 11 characters, not all of them ASCII."""
    return "".join(draw.choice("abcdefg xyzäß漢😀") for _ in range(11))
