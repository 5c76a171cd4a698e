r"""The split patterns as Python's own `re` understands them.

`re` has no \p{...}, and its \s means 29 code points, not 25. So the classes are written out as
ranges of code points.
"""

from __future__ import annotations

import re
from functools import cache

from ffi_cookbook.bindings._glue.bpe import unicode16
from ffi_cookbook.bindings._glue.bpe.patterns import Pattern

# Patterns name Lu only together with Lt, and Lm only with Lo, so one stands for both.
_CLASSES = {
    r"\p{L}": (1, 2, 3),
    r"\p{Lu}": (1,),
    r"\p{Lt}": (),
    r"\p{Ll}": (2,),
    r"\p{Lm}": (3,),
    r"\p{Lo}": (),
    r"\p{M}": (4,),
    r"\p{N}": (5,),
    r"\s": (6,),
}
_CLASS = re.compile(r"\\p\{\w+\}|\\s")
_ATOM = re.compile(rf"\[[^\]]*\]|{_CLASS.pattern}|\\S")


@cache
def compiled(pattern: Pattern) -> re.Pattern[str]:
    """Return the compiled pattern, whose `finditer` yields every pretoken."""

    def atom(match: re.Match[str]) -> str:
        text = match[0]
        if text == r"\S":
            return "[^" + _ranges(r"\s") + "]"
        inner = _CLASS.sub(lambda found: _ranges(found[0]), text)
        return inner if text[0] == "[" else f"[{inner}]"

    return re.compile(_ATOM.sub(atom, pattern.regex))


@cache
def _ranges(name: str) -> str:
    """Return the code points of a class, as they stand between brackets."""
    runs = unicode16.runs()
    return "".join(
        rf"\U{first:08x}-\U{end - 1:08x}" for first, end, kind in runs if kind in _CLASSES[name]
    )
