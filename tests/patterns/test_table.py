"""Every pattern of the table: any operands give python's answer, and others are refused."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ffi_cookbook.bindings.errors import PatternError
from ffi_cookbook.bindings.protocol.pattern_table import PATTERNS
from support.backends import REFUSALS, open_backends
from support.operands import accepted, refused

pytestmark = pytest.mark.part("patterns")
FUNCTIONS = [name for name in PATTERNS if name not in ("Point", "Counter", "keywords")]

# ---- answers ----------------------------------------------------------------------------------

number = st.floats(allow_nan=False, width=32)
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
small = st.integers(0, 50)
STRATEGIES: dict[str, st.SearchStrategy[Any]] = {
    "int": st.integers(-(2**63), 2**63 - 1),
    "float": st.floats(allow_nan=False),
    "bool": st.booleans(),
    "str": text,
    "bytes": st.binary(),
    "Buffer": st.binary().map(bytearray),
    "Floats": st.lists(number, max_size=40).map(lambda values: np.array(values, float)),
    "list[float]": st.lists(number),
    "list[str]": st.lists(text),
    "dict[str, float]": st.dictionaries(text, number),
    "Callable[[float], float]": st.just(lambda x: x * 2),
}
ITS_OWN = {
    "dlpack_in.0": STRATEGIES["Floats"],
    "tensor_in.0": STRATEGIES["Floats"],
    "tensor_out.0": STRATEGIES["Floats"],
    "tensor_out.1": small,
    "struct_in.0": number,
    "array_out.0": small,
    "list_out.0": small,
    "interruptible.0": small,
    "countdown.0": small,
    "error.0": st.just(0),
    "error_fields.0": st.just(0),
    "strided_in.0": st.tuples(STRATEGIES["Floats"], st.sampled_from([1, 2, 3, -1, -2])).map(
        lambda drawn: drawn[0][:: drawn[1]]
    ),
}


def shown(value: Any) -> str:
    """Return a text that differs if a value does; nan, inf and -0.0 included."""
    if hasattr(value, "x"):
        return repr((value.x, value.y))
    if hasattr(value, "__next__"):
        return repr(list(value))
    return repr(value.tolist() if isinstance(value, np.ndarray) else value)


@pytest.mark.filterwarnings("ignore:overflow|invalid value:RuntimeWarning")
@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=30, deadline=None)
@given(drawn=st.data())
def test_every_backend_gives_the_same_answer(name: str, drawn: st.DataObject) -> None:
    types = PATTERNS[name].types
    operands = [
        drawn.draw(ITS_OWN[own] if (own := f"{name}.{place}") in ITS_OWN else STRATEGIES[kind])
        for place, kind in enumerate(types)
    ]
    answers = {}
    for backend, module in open_backends("patterns"):
        given = copy.deepcopy(operands)
        if name == "struct_in":
            given = [module.patterns.Point(given[0], 1.5)]
        result = shown(getattr(module.patterns, name)(*given))
        answers[backend] = result, tuple(shown(x) for x in given)
    assert set(answers.values()) == {answers["python"]}, answers


# ---- refusals ---------------------------------------------------------------------------------


class Liar:
    def __index__(self) -> int:
        return "3"

    __float__ = __index__


def give(result: object, _: float) -> object:
    return result


GRID = np.arange(12, dtype=np.uint8).reshape(3, 4)
NO_NUMBERS = ("a", b"1.5", None, [1.0], 1j, 10**400, object(), "1.5")
NO_TEXTS = (None, 1, b"bytes", ["a"], ("a",))
NO_VECTORS = [np.arange(3), np.arange(3.0).astype(">f8"), np.arange(3, dtype=np.complex128)]
NO_VECTORS += [np.array([1.0, "a"], dtype=object), np.array([True, False]), [1.0, 2.0], 3.0]
NO_VECTORS += [np.ones((2, 2)), np.array(1.0), np.frombuffer(bytes(25), np.uint8)[1:].view("f8")]
REFUSED: dict[str, list[Any]] = {
    "int": [2**63, -(2**63) - 1, 2**64, 1.0, np.float64(1), Liar()],
    "float": [1j, 10**400, Liar()],
    "bool": [1.0, "True", "", [], np.int64(1)],
    "str": [1, ["a"], "a" * 50 + "\udfff"],
    "bytes": [1, [1], bytearray(b"x"), memoryview(b"x")],
    "Buffer": [1, [1], object(), memoryview(b"abc")[::-1], GRID.T, GRID[:, 1:]],
    "Floats": [*NO_VECTORS, np.arange(6.0)[::-1], np.broadcast_to(1.0, 3)],
    "Any": [1.0, "text", object(), [1.0], np.ones(3, np.int64), np.ones((2, 2)), np.array(1.0)],
    "list[float]": [3.0, None, iter([1.0]), *([0.5, item, 1.5] for item in NO_NUMBERS)],
    "list[str]": ["text", b"bytes", None, 1, {"a": 1}, *(["a", item] for item in NO_TEXTS)],
    "dict[str, float]": [[("a", 1.0)], None, "text", 1, {"a"}]
    + [{"a": 0.5, "b": item} for item in NO_NUMBERS]
    + [{"a": 1.0, item: 1.0} for item in (None, 1, b"bytes", "\ud800", ("a",))],
    "Callable[[float], float]": [None, *(partial(give, y) for y in NO_NUMBERS[:-1])],
}
REFUSED_OF = {
    "array_out.0": [-1, -(2**63), 2**64],
    "list_out.0": [-1, -(2**63), 2**64],
    "interruptible.0": [-1, -(2**63), 2**63],
    "error.0": [2**31, 2**32, -(2**31) - 1],
    "error_fields.0": [2**31, 2**32, -(2**31) - 1],
    "strided_in.0": [*NO_VECTORS, np.zeros(4, [("value", "f8"), ("more", "f4")])["value"]],
}
OWN_ONLY = ("strided_in", "tensor_out")


def all_refused(name: str, patterns: Any) -> Iterator[tuple[Any, ...]]:
    """Yield arguments with one that is refused, and too few or too many."""
    draw = Random(1)
    good = accepted(name, draw, patterns)
    if name.startswith("error"):  # 1234 is the code of an error of the kernel
        good = (0, *good[1:])
    else:
        yield from refused(name, draw, patterns)
    for place, kind in enumerate(PATTERNS[name].types):
        own = REFUSED_OF.get(f"{name}.{place}", [])
        for wrong in [*own, *(REFUSED.get(kind, []) if name not in OWN_ONLY else [])]:
            yield (*good[:place], wrong, *good[place + 1 :])
    yield (*good, None)
    if good:
        yield good[:-1]


@pytest.mark.parametrize("name", PATTERNS)
def test_what_is_refused(patterns: Any, name: str) -> None:
    """Nothing is written, and no error of the kernel takes the refusal's place."""
    for arguments in all_refused(name, patterns):
        before = [shown(x) for x in arguments if isinstance(x, np.ndarray)]
        with pytest.raises((*REFUSALS, BufferError, LookupError, RuntimeError)) as caught:
            getattr(patterns, name)(*arguments)
        assert type(caught.value) is not PatternError
        assert "native call failed" not in str(caught.value)
        assert [shown(x) for x in arguments if isinstance(x, np.ndarray)] == before
