"""One call of a function that can be repeated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..backends import REFUSALS


class Call(NamedTuple):
    """A function, its arguments and whether it raises; `again` resets them before the next call."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]
    fails: bool
    again: Callable[[], object]

    def repeat(self, n: int) -> None:
        """Call the function n times."""
        function, arguments, keywords, fails, again = self
        for _ in range(n):
            again()
            try:
                function(*arguments, **keywords)
            except (*REFUSALS, AttributeError, BufferError, LookupError):
                assert fails
            else:
                assert not fails


def call(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Call:
    return Call(function, arguments, keywords, False, bool)


def failing(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Call:
    return Call(function, arguments, keywords, True, bool)
