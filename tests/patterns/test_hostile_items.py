"""Items that change their container, or whose class lies about them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from support.backends import REFUSALS

pytestmark = pytest.mark.part("patterns")

CHANGED = (*REFUSALS, IndexError, RuntimeError)  # a container that changed during the call


class Does:
    """A number that runs an action when it is asked for its value."""

    def __init__(self, something: Callable[[], Any]) -> None:
        self.something = something

    def __float__(self) -> float:
        self.something()
        return 1.5

    def __radd__(self, other: float) -> float:
        return other + float(self)

    def __rmul__(self, other: float) -> float:
        return other * float(self)


@pytest.mark.parametrize("harm", ["clear", "append", "replace"])
def test_a_list_that_changes_under_the_pattern(patterns: Any, harm: str) -> None:
    for _ in range(20):
        values: list[Any] = [0.5]
        harms = {
            "clear": values.clear,
            "append": lambda: values.extend([2.5] * 100),  # noqa: B023
            "replace": lambda: values.__setitem__(slice(1, None), [2.5] * 2),  # noqa: B023
        }
        values += [Does(harms[harm]), *([float(i) + 0.5 for i in range(1000)])]
        try:
            assert type(patterns.list_in(values)) is float
        except CHANGED:
            continue


def test_a_dict_that_changes_under_the_pattern(patterns: Any) -> None:
    for _ in range(20):
        weights: dict[str, Any] = {"a": 0.5}
        weights["b"] = Does(weights.clear)
        weights |= {f"key {i}": float(i) + 0.5 for i in range(100)}
        try:
            assert type(patterns.dict_in(weights)) is float
        except CHANGED:
            continue


class Text(str):
    """A str that reports another text than it holds."""

    def encode(self, *_: Any) -> bytes:
        raise LookupError("encode was called")

    def __str__(self) -> str:
        return "wrong"


def test_subclasses_of_str(patterns: Any) -> None:
    """The text is the subclass's content, or the subclass is refused."""
    with suppress(*REFUSALS):
        assert patterns.strings_in(["a", Text("b")]) == 97 + 98
    with suppress(*REFUSALS):
        assert patterns.dict_in({Text("b"): 1.0}) == 98.0
