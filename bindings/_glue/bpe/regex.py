r"""The split patterns as Python's own `re` understands them.

`re` has no \p{...}, and its \s means 29 code points, not 25. So the sets of characters are written
out as ranges of code points.
"""

from __future__ import annotations

import re
from functools import cache
from unicodedata import category

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings._glue.bpe import unicode16
from ffi_cookbook.bindings._glue.bpe.patterns import Pattern

Members = npt.NDArray[np.bool_]

# Patterns name Lu only together with Lt, Lm only with Lo, and S only with P, so one is all.
_CLASSES = {"L": (1, 2, 3), "Lu": (1,), "Lt": (1,), "Ll": (2,), "Lm": (3,), "Lo": (3,)}
_CLASSES |= {"M": (4,), "N": (5,), "s": (6,), "S": (7,)}
_LATER_P = (
    "\u1b4e\u1b4f\u1b7f\U00010d6e\U000113d4\U000113d5\U000113d7\U000113d8\U00011b00-\U00011b09\U00011be1"
    "\U00011f43-\U00011f4f\U00016d6d-\U00016d6f\U0001e5ff"
)
_HAN = (
    "\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufa6d\ufa70-\ufad9\U00016fe2-\U00016fe3"
    "\U00016ff0-\U00016ff1\U00020000-\U0002a6df\U0002a700-\U0002b739\U0002b740-\U0002b81d"
    "\U0002b820-\U0002cea1\U0002ceb0-\U0002ebe0\U0002ebf0-\U0002ee5d\U0002f800-\U0002fa1d"
    "\U00030000-\U0003134a\U00031350-\U000323af"
)
_ESCAPES = {r"\r": "\r", r"\n": "\n"}
SET = re.compile(r"\[(?:\\.|\[[^]]*\]|[^]\\[])+\]|\\p\{\w+\}|\\[sS]")
_ITEM = re.compile(r"\\p\{(\w+)\}|\\(s)|(\\?.)(?:-(\\?.))?", re.DOTALL)


@cache
def compiled(pattern: Pattern) -> re.Pattern[str]:
    """Return the compiled pattern, whose `finditer` yields every pretoken."""
    return compiled_regex(pattern.regex)


@cache
def compiled_regex(regex: str) -> re.Pattern[str]:
    """Return a regular expression whose sets are those of `members`."""
    return re.compile(SET.sub(lambda found: _ranges(found[0]), regex))


@cache
def _ranges(text: str) -> str:
    edges = np.flatnonzero(np.diff(members(text), prepend=False, append=False)).tolist()
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return "[" + "".join(rf"\U{first:08x}-\U{end - 1:08x}" for first, end in pairs) + "]"


def members(text: str) -> Members:
    r"""Return which code points are in a set, such as `\S`, `[^\r\n\p{L}]` or `[\p{M}&&[^x]]`."""
    if text == r"\S":
        return ~members(r"\s")
    body, _, other = (text[1:-1] if text[0] == "[" else text).partition("&&")
    found = np.zeros(unicode16.CODE_POINTS, np.bool_)
    for property_, space, first, last in _ITEM.findall(body.removeprefix("^")):
        if property_ == "Han":
            found |= members(f"[{_HAN}]")
        elif property_ == "P":
            found |= _punctuation()
        elif name := property_ or space:
            found |= np.isin(unicode16.classes(), _CLASSES[name])
        else:
            found[_code_point(first) : _code_point(last or first) + 1] = True
    if body[0] == "^":
        found = ~found
    return found & members(other) if other else found


@cache
def _punctuation() -> Members:
    """Return P of Unicode 16: that of Python, which may have Unicode 14, and what came later."""
    found = members(f"[{_LATER_P}]")
    for number in np.flatnonzero(unicode16.classes() == 7).tolist():
        found[number] |= category(chr(number))[0] == "P"
    return found


def _code_point(text: str) -> int:
    return ord(_ESCAPES.get(text, text[-1]))
