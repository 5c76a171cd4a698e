"""What every binding refuses, in the same way, and arrays that an idiom must not read wrongly."""

from __future__ import annotations

import json
import pickle
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffi_cookbook.bindings.protocol.pattern_table import PATTERNS
from support.operands import accepted
from support.processes import run_in_child, run_python

pytestmark = pytest.mark.part("patterns")


def test_a_numpy_bool_is_not_a_bool(patterns: Any) -> None:
    for other in (np.True_, np.False_):
        with pytest.raises(TypeError) as caught:
            patterns.invert(other)
        assert "not bool" not in str(caught.value)


def test_a_number_beyond_a_c_int(patterns: Any) -> None:
    for code in (2**31, -(2**31) - 1, 2**64):
        with pytest.raises(OverflowError) as caught:
            patterns.error(code)
        assert "/" not in str(caught.value)  # the path of a source file


def test_functions_are_pickled_by_name(patterns: Any, backend: ModuleType) -> None:
    """As multiprocessing does with a function for its workers."""
    if backend.__name__.endswith("nanobind"):
        with pytest.raises((TypeError, AttributeError, pickle.PicklingError)):
            pickle.dumps(patterns.add_int)
        return
    spaces = [patterns]
    if backend.__name__.endswith(("pyo3", "capi", "pybind11", "cython")):
        spaces += [
            space for name in ("idiomatic", "fast") if (space := getattr(patterns, name, None))
        ]
    own = ("ffi_cookbook", "patterns")
    if backend.__name__.endswith("cffi"):  # some are the C library's own, which have no pickle
        own = ("ffi_cookbook.bindings.cffi.patterns",)
    functions = [
        function
        for space in spaces
        for function in vars(space).values()
        if callable(function) and str(getattr(function, "__module__", "")).startswith(own)
    ]
    assert len(functions) > 30
    data = [pickle.dumps(function, protocol) for function in functions for protocol in (0, 5)]
    program = "import json, pickle, sys; [pickle.loads(bytes(x)) for x in json.load(sys.stdin)]"
    run_python("-c", program, stdin=json.dumps([list(one) for one in data]))


# ---- idioms --------------------------------------------------------------------------------------

ARRAYS = """
import ctypes, mmap, tempfile, warnings
idiomatic = getattr(p, "idiomatic", None)
memory = bytearray(bytes(1) + np.arange(6.0).tobytes())
path = tempfile.mkstemp()[1]
np.arange(6.0).tofile(path)
mapped = np.memmap(path, np.float64, "r")
frozen = np.arange(6.0)
frozen.flags.writeable = False
record = np.dtype([("x", "f8")])
arrays = [
    np.arange(6.0), np.arange(6.0).reshape(2, 3), np.arange(12.0)[::2], np.arange(6.0)[::-1],
    np.arange(12.0).reshape(4, 3)[:, 1], np.broadcast_to(2.0, 3), np.array(3.0), np.empty(0),
    np.arange(6.0, dtype="f4"), np.arange(6.0, dtype=">f8"), np.arange(6.0, dtype="f2"),
    np.arange(6.0, dtype="g"), np.arange(6), np.arange(6, dtype="u1"), np.arange(6) > 2,
    np.arange(6, dtype=">i8"), np.arange(6) * 1j, np.array([1, 2, 3], object),
    np.array([object() for _ in range(1000)]), np.array(["1.5", "x"]), np.array([b"1.5", b"x"]),
    np.arange(6).astype("M8[s]"), np.arange(6).astype("m8[s]"),
    np.ones(6, record), np.zeros(6, [("x", "f8"), ("y", "f4")])["x"],
    np.zeros(6, "V8"), np.frombuffer(memory, np.float64, 5, 1), frozen, mapped,
    bytes(48), bytearray(48), (ctypes.c_int64 * 6)(*range(6)), None, "text", [object()], {},
]
if "nanobind" in k.__name__:  # its docstring says that a ctypes array crashes it
    arrays = [x for x in arrays if not isinstance(x, ctypes.Array)]
def raw(x):
    return x.tolist() if isinstance(x, np.ndarray) else bytes(x) if isinstance(x, bytearray) else x
for x in arrays:
    for function in (getattr(idiomatic, "array_in", None), p.array_in, p.strided_in):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                result = function(x)
        except Exception:
            continue
        assert x is not None, function
        wanted = np.asarray(x).astype(float).sum()
        assert result == wanted, (function, x, result, wanted)
    for function in (getattr(idiomatic, "array_inplace", None), p.array_inplace):
        before = raw(x)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                function(x, 3.0)
        except Exception:
            assert repr(raw(x)) == repr(before), (function, x)
            continue
        assert isinstance(x, np.ndarray) and x.dtype in (float, record) and x.flags.writeable
        assert (x.view(float) == np.array(before, x.dtype).view(float) * 3.0).all(), (function, x)
"""


def test_an_idiom_reads_no_array_wrongly(backend: ModuleType) -> None:
    """Each dtype and layout gives the right result, or is refused and left unchanged."""
    run_in_child(backend, [ARRAYS])


# ---- An exception that an argument raises during conversion comes out unchanged.


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

    __index__ = None

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
MORE = {
    "keywords": lambda p, x: p.keywords(1.0, scale=x),
    "list_in": lambda p, x: p.list_in([1.0, x]),
    "dict_in": lambda p, x: p.dict_in({"a": x}),
    "callback": lambda p, x: p.callback(lambda _: x, 1.0),
    "countdown": lambda p, x: list(p.countdown(x)),
    "Counter.add": lambda p, x: p.Counter(1).add(x),
    "Counter.value": lambda p, x: setattr(p.Counter(1), "value", x),
}
NUMBERS = {"int": Raises, "float": RaisesFloat}


@pytest.mark.parametrize("name", PATTERNS)
def test_each_number_of_a_pattern(patterns: Any, name: str) -> None:
    pattern = PATTERNS[name]
    for place, kind in enumerate(pattern.types):
        for error in ERRORS if kind in NUMBERS and name != "countdown" else ():
            arguments = list(accepted(name, Random(1), patterns))
            arguments[place] = NUMBERS[kind](error)
            with pytest.raises(type(error)) as caught:
                getattr(patterns, name)(*arguments)
            assert caught.value is error


@pytest.mark.parametrize("name", MORE)
def test_other_numbers(patterns: Any, name: str) -> None:
    for error in ERRORS:
        with pytest.raises(type(error)) as caught:
            MORE[name](
                patterns, (Raises if name.lower().startswith("count") else RaisesFloat)(error)
            )
        assert caught.value is error


@pytest.mark.parametrize(
    "other", [object(), "2", Raises(LookupError("the second"))], ids=["object", "str", "raises"]
)
def test_what_the_first_number_raises_comes_out(patterns: Any, other: Any) -> None:
    """The faults of later arguments do not matter."""
    for name, pattern in PATTERNS.items():
        numbers = [place for place, kind in enumerate(pattern.types) if kind in NUMBERS]
        for second in numbers[1:]:
            first = numbers[0]
            arguments = list(accepted(name, Random(1), patterns))
            arguments[first], arguments[second] = Raises(KeyboardInterrupt("the first")), other
            with pytest.raises(KeyboardInterrupt) as caught:
                getattr(patterns, name)(*arguments)
            assert caught.value is arguments[first].error
            assert arguments[first].asked == 1


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
    def __dlpack__(self) -> Any:
        raise self.error


@pytest.mark.parametrize("error", [*ERRORS, BufferError("mine")], ids=lambda e: type(e).__name__)
def test_dlpack(patterns: Any, error: BaseException) -> None:
    for tensor in (Tensor(error), HalfTensor(error)):
        if isinstance(tensor, HalfTensor) and isinstance(error, AttributeError):
            continue  # an AttributeError means that the method is missing
        for take in (patterns.dlpack_in, patterns.tensor_in):
            with pytest.raises(type(error)) as caught:
                take(tensor)
            assert caught.value is error
