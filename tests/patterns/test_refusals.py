"""What every binding refuses, in the same way, and arrays that an idiom must not read wrongly."""

from __future__ import annotations

import json
import pickle
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.processes import run_in_child, run_python

pytestmark = pytest.mark.part("patterns")


def test_a_numpy_bool_is_not_a_bool(patterns: Any) -> None:
    for other in (np.True_, np.False_):
        with pytest.raises(TypeError) as caught:
            patterns.invert(other)
        assert "not bool" not in str(caught.value)


@pytest.mark.parametrize("code", [2**31, -(2**31) - 1, 2**32, 2**63, 2**64, -(2**64)])
def test_a_number_beyond_a_c_int(patterns: Any, code: int) -> None:
    for call in (lambda: patterns.error(code), lambda: patterns.error_fields(code, 0)):
        with pytest.raises(OverflowError) as caught:
            call()
        assert "/" not in str(caught.value)  # the path of a source file


def test_a_lone_surrogate(patterns: Any) -> None:
    for call in (patterns.str_in, lambda text: patterns.score(text, 1, 1.0)):
        with pytest.raises((UnicodeEncodeError, TypeError)):
            call("\ud800")


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


RECORDS = """
import ctypes
from support.calls import CALLS
forms = [
    [("a", "f8"), ("b", "i4")], [("a", "f8"), ("b", "f8")], [("a", "i4"), ("b", "f8")],
    [("a", "f8", 2)], [("a", "f8"), ("b", "i4", (2, 3))], [("a", [("b", "f8"), ("c", "i1")])],
    [("a", [("b", "f8")]), ("c", "f4")], [("a", "f4"), ("b", "u1")], [("a", "f8"), ("b", "O")],
    [("a", "u8"), ("b", "i4")], [("a", "u1"), ("b", "i4")], [("a", "i8"), ("b", "S3")],
    [("a", "c16"), ("b", "i4")], [("a", ">f8"), ("b", "i4")], [("a", "f8"), ("b", "V5")],
    {"names": ["a", "b"], "formats": ["f8", "i4"], "offsets": [0, 16], "itemsize": 24},
    [("a", "f8")], [("a", [("b", "f8")])], [("a", "f8", 1)], [("", "f8"), ("", "i4")],
]
class Record(ctypes.Structure):
    _fields_ = [("a", ctypes.c_double), ("b", ctypes.c_int)]
class Array(np.ndarray):
    def __buffer__(self, flags):
        return memoryview(np.zeros(6, forms[0]))
arrays = [np.zeros(6, np.dtype(form, align)) for form in forms for align in (False, True)]
arrays += [np.zeros((6, 6), forms[0]), np.zeros(0, forms[0]), np.zeros((), forms[0])]
arrays += [np.recarray(6, forms[0]), np.zeros(6, forms[0]).view(Array), np.zeros(6).view(Array)]
arrays += [x[0] for x in arrays[:2]] + [memoryview(x) for x in arrays[::3] if x.dtype.names]
if "nanobind" not in k.__name__:  # its docstring says that a ctypes array crashes it
    arrays += [(Record * 6)(), memoryview((Record * 6)())]
def names(x):
    return getattr(getattr(x, "dtype", None), "names", None) or ()
spaces = [space for name in ("fast", "idiomatic") if (space := getattr(p, name, None))]
tried = 0
for part in (CALLS[name] for name in CALLS if hasattr(k, name)):
    for call in (c for calls in part.values() for c in calls(k) if not c.fails):
        name = getattr(call.function, "__name__", "")
        own = getattr(p, name, None) == call.function
        functions = [getattr(space, name) for space in spaces if own and hasattr(space, name)]
        for function in (call.function, *functions):
            for place in (*range(len(call.arguments)), *call.keywords):
                args, kwargs = list(call.arguments), dict(call.keywords)
                given = args if isinstance(place, int) else kwargs
                if not isinstance(given[place], np.ndarray):
                    continue
                floats = given[place].dtype.kind == "f"
                for x in arrays:
                    given[place] = x
                    tried += 1
                    try:
                        result = function(*args, **kwargs)
                    except Exception:
                        continue
                    refused = len(names(x)) > 1 and np.size(x) and floats
                    assert not refused, (function, place, x, result)
assert tried > 500
"""


def test_records_where_an_array_is_wanted(backend: ModuleType) -> None:
    """Each argument of each kernel, pattern and idiom."""
    run_in_child(backend, [RECORDS])


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
    "score": lambda p, x: p.score("a", x, 1.0),
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
