"""The probes: the same answers in every door, and no wrong number for what cannot convert."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from doors import PARTS, door
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.part("probes")

REFUSALS = (TypeError, OverflowError, ValueError)
int64 = st.integers(-(2**63), 2**63 - 1)
number = st.floats(allow_nan=False, allow_infinity=False, width=32)


def wrap(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def test_nothing(backend: ModuleType) -> None:
    assert backend.probes.noop() is None
    assert backend.probes.noop_nogil() is None


def test_about(backend: ModuleType) -> None:
    facts = backend.about()
    assert set(facts) == {"technology", "compiler", "kernel", "isa"}
    assert all(isinstance(value, str) and value for value in facts.values())


@settings(max_examples=50, deadline=None)
@given(a=int64, b=int64, x=number, y=number, text=st.text(st.characters(exclude_categories=["Cs"])))
def test_values_in_every_door(a: int, b: int, x: float, y: float, text: str) -> None:
    for name in PARTS["probes"]:
        probes = door(name).probes
        assert probes.add_int(a, b) == wrap(a + b), name
        assert probes.add_float(x, y) == x + y, name
        assert probes.keywords(x, offset=y, scale=2.0) == x * 2.0 + y, name
        assert probes.str_in(text) == sum(text.encode()), name
        assert probes.bytes_in(text.encode()) == sum(text.encode()), name
        assert probes.list_in([x, y, 1.5]) == x + y + 1.5, name
        assert probes.array_in(np.array([x, y, 1.5])) == x + y + 1.5, name
        assert probes.callback(lambda value: value * 2, x) == x * 2 + 1, name


def test_scalars(backend: ModuleType) -> None:
    probes = backend.probes
    assert probes.add_int(2**63 - 1, 1) == -(2**63)
    assert probes.add_float(1, 2.5) == 3.5
    assert math.isnan(probes.add_float(math.nan, 1.0))
    assert probes.six_scalars(1, 2.5, 3, 4.5, 5, 6.5) == 22.5
    assert probes.six_scalars(2**62, 0.0, 0, 0.0, 0, 0.0) == 2.0**62
    assert probes.keywords(3.0) == 3.0
    assert probes.keywords(x=3.0, scale=2.0) == 6.0
    assert type(probes.add_int(1, 1)) is int
    assert type(probes.add_float(1.0, 1.0)) is float


def test_memory(backend: ModuleType) -> None:
    probes = backend.probes
    assert probes.str_in("") == 0
    assert probes.str_in("a\0é😀") == sum("a\0é😀".encode())
    assert probes.bytes_in(b"\xff\0\xff") == 510
    frozen = np.arange(5.0)
    frozen.flags.writeable = False
    assert probes.array_in(frozen) == 10.0
    assert str(probes.array_in(np.empty(0))) == "0.0"  # not -0.0
    assert str(probes.list_in([])) == "0.0"
    assert probes.list_in([1, 2.5]) == 3.5
    made = probes.array_out(4)
    assert made.dtype == np.float64
    assert made.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert made.flags.writeable
    assert probes.array_out(0).shape == (0,)
    first, second = probes.array_out(3), probes.array_out(3)
    first[:] = 7
    assert second.tolist() == [0.0, 1.0, 2.0]


@pytest.mark.parametrize(
    ("probe", "arguments"),
    [
        ("add_int", (1.0, 2)),
        ("add_int", ("1", 2)),
        ("add_int", (2**63, 0)),
        ("add_int", (0, -(2**63) - 1)),
        ("add_int", (2**64, 0)),
        ("add_int", (1,)),
        ("add_int", (1, 2, 3)),
        ("add_float", ("1", 2.0)),
        ("add_float", (None, 2.0)),
        ("add_float", (1.0,)),
        ("six_scalars", (1, 2.0, 3.5, 4.0, 5, 6.0)),
        ("six_scalars", (1, 2.0, 3)),
        ("keywords", ("x",)),
        ("keywords", ()),
        ("keywords", (1.0, 2.0)),
        ("str_in", (b"bytes",)),
        ("str_in", (None,)),
        ("str_in", ("\ud800",)),
        ("bytes_in", ("text",)),
        ("bytes_in", (None,)),
        ("array_in", ([1.0, 2.0],)),
        ("array_in", (np.arange(3),)),
        ("array_in", (np.arange(3.0, dtype=np.float32),)),
        ("array_in", (np.arange(3.0).astype(">f8"),)),
        ("array_in", (np.arange(6.0)[::2],)),
        ("array_in", (np.ones((2, 2)),)),
        ("array_in", (np.frombuffer(bytes(25), np.uint8)[1:].view(np.float64),)),
        ("array_out", (-1,)),
        ("array_out", (1.5,)),
        ("array_out", ("3",)),
        ("list_in", (3.0,)),
        ("list_in", (["a"],)),
        ("list_in", ([None],)),
        ("callback", (None, 1.0)),
        ("callback", (float, "x")),
        ("callback", (lambda x: "text", 1.0)),
        ("callback", (lambda x: "1.5", 1.0)),
        ("callback", (lambda x: b"1", 1.0)),
        ("callback", (lambda: 1.0, 1.0)),
        ("error", (2**31,)),
        ("error", (2**32,)),
        ("error", ("1",)),
    ],
    ids=str,
)
def test_what_does_not_convert(backend: ModuleType, probe: str, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(REFUSALS):
        getattr(backend.probes, probe)(*arguments)


@pytest.mark.parametrize("n", [2**50, 2**59, 2**60, 2**62, 2**63 - 1])
def test_what_does_not_fit_in_memory(backend: ModuleType, n: int) -> None:
    with pytest.raises((MemoryError, ValueError)):
        backend.probes.array_out(n)


class Oops(Exception):
    """An exception no binding knows of."""


def test_a_callback_may_raise(backend: ModuleType, capfd: pytest.CaptureFixture[str]) -> None:
    oops = Oops("from Python")

    def raises(x: float) -> float:
        raise oops

    for _ in range(3):
        with pytest.raises(Oops) as caught:
            backend.probes.callback(raises, 1.0)
        assert caught.value is oops
    assert capfd.readouterr() == ("", "")
    with pytest.raises(KeyboardInterrupt):
        backend.probes.callback(lambda x: (_ for _ in ()).throw(KeyboardInterrupt), 1.0)
    assert backend.probes.callback(lambda x: x, 1.0) == 2.0


def test_callbacks_nest(backend: ModuleType) -> None:
    def inner(x: float) -> float:
        return backend.probes.callback(lambda y: y * 10, x)  # type: ignore[no-any-return]

    assert backend.probes.callback(inner, 2.0) == 22.0


def test_error(backend: ModuleType) -> None:
    assert backend.probes.error(0) is None
    for code in (7, -3):
        with pytest.raises(ValueError, match=f"^native call failed with code {code}$"):
            backend.probes.error(code)
