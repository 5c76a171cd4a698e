"""`ffi-cookbook cost`: a signature falls into parts that have prices."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ffi_cookbook import costs
from ffi_cookbook.costs import Signature
from support.processes import run_python


def test_a_signature_falls_into_parts() -> None:
    signature = Signature.parse("f(ndarray[f64], int, int) -> ndarray[f64]")
    assert signature == (("ndarray[f64]", "int", "int"), "ndarray[f64]", 0)
    assert signature.parts() == {
        **{"arguments": 1, "ndarray[f64]": 1, "int": 2, "-> ndarray[f64]": 1},
        "both ndarray[f64]": 1,
    }
    by_name = Signature.parse("(str, *, n: int = 0) -> str").parts()
    assert by_name == {"arguments": 1, "str": 1, "int": 1, "by name": 1, "-> str": 1}
    assert Signature.parse("def __init__(self, x: int) -> None: ...") == (("int",), "Self", 0)
    assert Signature.parse("()").parts() == {"no argument": 1}
    assert Signature.parse(" g (str) -> None ").parts() == {"arguments": 1, "str": 1}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("f", "not a signature: 'f'"),
        ("f(int", "not a signature"),
        ("f(int) ->", "not a signature"),
        ("f(int,) -> int", "an argument is missing"),
        ("f(list[np.ndarray])", "no costs of an argument 'list[ndarray]': choose from"),
        ("f(complex)", "no costs of an argument 'complex': choose from Buffer, Callable, Point, b"),
        ("f(int) -> set", "no costs of a result 'set': choose from None, Point, Self, bool"),
    ],
)
def test_what_has_no_price_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        costs.predict("capi", Signature.parse(text))
    assert complaint in str(caught.value)
    run = subprocess.run(
        [sys.executable, "-m", "ffi_cookbook", "cost", text], capture_output=True, text=True
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert complaint in run.stderr


def test_a_backend_without_prices_is_named() -> None:
    with pytest.raises(ValueError, match="no costs of 'numpy': choose from capi"):
        costs.predict("numpy", Signature(()))


def test_the_command_prints_the_cheapest_first() -> None:
    text = "f(ndarray[f64], int, str) -> ndarray[f64]"
    printed = run_python("-m", "ffi_cookbook", "cost", text)
    heading, *lines = printed.splitlines()
    assert heading.split()[:2] == ["binding", "ns"]
    table = [line.split() for line in lines if line.split() and line.split()[0] in costs.backends()]
    assert sorted(name for name, *_ in table) == sorted(costs.backends())
    totals = [float(total) for _, total, *_ in table]
    assert totals == sorted(totals)
    assert totals[0] == round(costs.predict(table[0][0], Signature.parse(text)).total)
    assert costs.measured()["machine"] in printed
    assert "\x1b" not in printed
