"""An exception that an argument raises during conversion comes out unchanged."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.part("patterns")


class Oops(BaseException):
    """An exception that no binding knows."""


class Raises:
    """A number that raises one exception, the first time only."""

    def __init__(self, error: BaseException) -> None:
        self.error, self.asked = error, 0

    def __float__(self) -> float:
        self.asked += 1
        if self.asked == 1:
            raise self.error
        return 1.0

    def __index__(self) -> int:
        return int(float(self))


class RaisesFloat(Raises):
    """The same number without __index__, which some bindings call first."""

    __index__ = None  # type: ignore[assignment]

    def __radd__(self, other: float) -> float:
        return other + float(self)

    def __rmul__(self, other: float) -> float:
        return other * float(self)


ERRORS = [
    RuntimeError("mine"),
    KeyboardInterrupt("mine"),
    LookupError("mine"),
    Oops("mine"),
    TypeError("mine"),
    AttributeError("mine"),
    MemoryError("mine"),
    SystemExit("mine"),
]
VALUES = np.ones(3)
FLOATS = {
    "add_float": lambda p, x: p.add_float(1.0, x),
    "add_float first": lambda p, x: p.add_float(x, 1.0),
    "six_scalars": lambda p, x: p.six_scalars(1, 1.0, 1, x, 1, 1.0),
    "keywords": lambda p, x: p.keywords(1.0, scale=x),
    "scaled": lambda p, x: p.scaled(VALUES, x),
    "score": lambda p, x: p.score("a", 1, x),
    "array_inplace": lambda p, x: p.array_inplace(VALUES.copy(), x),
    "list_in": lambda p, x: p.list_in([1.0, x]),
    "dict_in": lambda p, x: p.dict_in({"a": x}),
    "callback": lambda p, x: p.callback(lambda _: x, 1.0),
    "callback x": lambda p, x: p.callback(float, x),
    "Point": lambda p, x: p.Point(1.0, x),
    "struct_out": lambda p, x: p.struct_out(x, 1.0),
}
INTS = {
    "int_in": lambda p, x: p.int_in(x),
    "add_int": lambda p, x: p.add_int(1, x),
    "six_scalars": lambda p, x: p.six_scalars(1, 1.0, x, 1.0, 1, 1.0),
    "add_three": lambda p, x: p.add_three(1, 1, x),
    "stamp": lambda p, x: p.stamp(b"a", x),
    "score": lambda p, x: p.score("a", x, 1.0),
    "shifted": lambda p, x: p.shifted(VALUES, x, "a"),
    "array_out": lambda p, x: p.array_out(x),
    "list_out": lambda p, x: p.list_out(x),
    "tuple_out": lambda p, x: p.tuple_out(x, 1),
    "error": lambda p, x: p.error(x),
    "error_fields": lambda p, x: p.error_fields(0, x),
    "interruptible": lambda p, x: p.interruptible(x),
    "countdown": lambda p, x: list(p.countdown(x)),
    "Counter": lambda p, x: p.Counter(x),
    "Counter.add": lambda p, x: p.Counter(1).add(x),
    "Counter.value": lambda p, x: setattr(p.Counter(1), "value", x),
}


@pytest.mark.parametrize("name", FLOATS)
def test_float(patterns: Any, name: str) -> None:
    for error in ERRORS:
        with pytest.raises(type(error)) as caught:
            FLOATS[name](patterns, RaisesFloat(error))
        assert caught.value is error


@pytest.mark.parametrize("name", INTS)
def test_index(patterns: Any, name: str) -> None:
    for error in ERRORS:
        with pytest.raises(type(error)) as caught:
            INTS[name](patterns, Raises(error))
        assert caught.value is error


IN_ORDER = {
    "add_int": lambda p, x, y: p.add_int(x, y),
    "add_float": lambda p, x, y: p.add_float(x, y),
    "six_scalars": lambda p, x, y: p.six_scalars(x, 1.0, y, 1.0, 1, 1.0),
    "tuple_out": lambda p, x, y: p.tuple_out(x, y),
    "struct_out": lambda p, x, y: p.struct_out(x, y),
    "Point": lambda p, x, y: p.Point(x, y),
    "keywords": lambda p, x, y: p.keywords(x, scale=y),
    "error_fields": lambda p, x, y: p.error_fields(x, y),
    "add_three": lambda p, x, y: p.add_three(x, y, 1),
    "score": lambda p, x, y: p.score("a", x, y),
}


@pytest.mark.parametrize("name", IN_ORDER)
@pytest.mark.parametrize(
    "other", [object(), "2", Raises(LookupError("the second"))], ids=["object", "str", "raises"]
)
def test_what_the_first_argument_raises_comes_out(patterns: Any, name: str, other: Any) -> None:
    """The faults of later arguments do not matter."""
    first = Raises(KeyboardInterrupt("the first"))
    with pytest.raises(KeyboardInterrupt) as caught:
        IN_ORDER[name](patterns, first, other)
    assert caught.value is first.error
    assert first.asked == 1


class Tensor:
    """An object whose __dlpack__ raises."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **_: Any) -> Any:
        raise self.error


class HalfTensor(Tensor):
    """An object that raises when __dlpack__ is looked up."""

    @property
    def __dlpack__(self) -> Any:  # type: ignore[override]
        raise self.error


@pytest.mark.parametrize("error", [*ERRORS, BufferError("mine")], ids=lambda e: type(e).__name__)
def test_dlpack(patterns: Any, error: BaseException) -> None:
    for tensor in (Tensor(error), HalfTensor(error)):
        if isinstance(tensor, HalfTensor) and isinstance(error, AttributeError):
            continue  # an AttributeError means that the method is missing
        with pytest.raises(type(error)) as caught:
            patterns.dlpack_in(tensor)
        assert caught.value is error
