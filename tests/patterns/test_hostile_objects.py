"""Objects in odd states, and arrays that lie."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from support.backends import REFUSALS, WITHOUT_GIL
from support.processes import run_in_child

pytestmark = pytest.mark.part("patterns")

# ---- copies --------------------------------------------------------------------------------

PICKLES = """
import copy, pickle
for space in (p, getattr(p, "fast", None), getattr(p, "idiomatic", None)):
    for kind, n in (("Point", 2), ("Counter", 1), ("countdown", 1)):
        make = getattr(space, kind, None)
        if make is None:
            continue
        made = make(*(1, 2)[:n])
        ways = [copy.copy, copy.deepcopy]
        ways += [lambda x, i=i: pickle.loads(pickle.dumps(x, i)) for i in range(6)]
        ways += [lambda x, i=i: x.__reduce_ex__(i) for i in range(6)]
        ways += [lambda x, i=i: object.__reduce_ex__(x, i) for i in range(6)]
        for way in ways:
            try:
                again = way(made)
            except TypeError:
                continue
            if isinstance(again, tuple):
                continue
            assert type(again) is type(made)
            if kind == "Point":
                assert (again.x, again.y) == (1, 2)
            elif kind == "Counter":
                assert again is not made and again.add(5) == 6 and made.value == 1
            else:
                assert again is not made and list(again) == [0]
"""
TWICE = """
for kind, arguments, others in (
    (p.Point, (1, 2), [(3, 4), ("x", 1), (1,), ()]),
    (p.Counter, (1,), [(2,), ("x",), (2**70,), ()]),
):
    try:
        class Sub(kind):
            pass
    except TypeError:
        Sub = kind
    for make in (kind, Sub):
        made = make(*arguments)
        for other in others:
            try:
                made.__init__(*other)
            except (TypeError, ValueError, OverflowError):
                pass
        class Again:
            def __index__(self):
                made.__init__(*arguments)
                return 7
            __float__ = lambda self: float(self.__index__())
        try:
            made.__init__(*(Again(),) * len(arguments))
        except TypeError:
            pass
        got = (made.x, made.y) if kind is p.Point else (made.value,)
        assert all(type(number) in (int, float) for number in got)
"""
OTHER_SELVES = """
others = [None, bytes(64), 10**6 + 7, object(), [1, 2, 3], p.Point(1, 2), p.Counter(3)]
taken = []
for kind, names in ((p.Point, ("x", "y")), (p.Counter, ("add", "value"))):
    for name in names:
        member = vars(kind)[name]
        if type(member).__module__ in ("_ctypes", "ctypes"):  # a field reads any structure
            continue
        if hasattr(getattr(member, "fget", None), "__code__"):  # Python's own attributes
            continue
        uses = [lambda other: member(other, 1)]
        if not callable(member):
            uses = [member.__get__, lambda other: member.__set__(other, 1)]
            uses += [lambda other: member.fget(other), lambda other: member.fset(other, 1)]
        for other in others:
            for number, use in enumerate(uses):
                if type(other) is kind:
                    continue
                try:
                    found = use(other)
                except Exception:
                    continue
                if not (other is None and found is member):  # __get__ without an object
                    taken.append((kind, name, number, other, found))
for made, kind in ((p.Point(1, 2), p.Counter), (p.Counter(3), p.Point)):
    try:
        made.__class__ = kind
    except TypeError:
        continue
    if not hasattr(made, "_fields_"):  # ctypes reads any structure as any other
        taken.append((kind, "__class__", made))
assert not taken, taken
"""


def test_methods_refuse_other_objects_as_self(backend: ModuleType) -> None:
    run_in_child(backend, [OTHER_SELVES])


def test_copies_and_second_inits(backend: ModuleType) -> None:
    """Every protocol of pickle gives a copy with a state of its own, or a TypeError."""
    run_in_child(backend, [PICKLES, TWICE])


def test_cycles_are_collected(patterns: Any) -> None:
    """The classes hold no objects, but an object of a subclass may refer to itself."""

    class Held:
        """An object whose collection is observed."""

    for kind, arguments in ((patterns.Point, (1.0, 2.0)), (patterns.Counter, (1,))):
        try:
            sub = type("Sub", (kind,), {})
        except TypeError:  # the class allows no subclasses
            continue
        made = sub(*arguments)
        made.held, made.itself = Held(), made
        alive = weakref.ref(made.held)
        del made
        gc.collect()
        assert alive() is None, kind


# ---- arrays --------------------------------------------------------------------------------

LIES = """
class Lies(np.ndarray):
    shape = property(lambda self: (10**6,))
    size = property(lambda self: 10**6)
    nbytes = property(lambda self: 8 * 10**6)
    strides = property(lambda self: (8,))
    dtype = property(lambda self: np.dtype("float64"))
    ndim = property(lambda self: 1)
    flags = property(lambda self: np.ones(1).flags)
    ctypes = property(lambda self: np.ones(1).ctypes)
    __len__ = lambda self: 10**6
    __getitem__ = lambda self, item: np.ones(10**6)
    tolist = lambda self: [1.0] * 10**6
shapes = np.ones(3), np.ones(3, "f4"), np.ones((3, 2)), np.ones(6)[::2], np.ones(6)[::-1]
for honest in shapes:
    lies = honest.view(Lies)
    calls = {
        "array_in": lambda x: p.array_in(x), "array_in_nogil": lambda x: p.array_in_nogil(x),
        "strided_in": lambda x: p.strided_in(x), "array_map": lambda x: p.array_map(x).tolist(),
        "array_inplace": lambda x: p.array_inplace(x, 1.0),
        "scaled": lambda x: p.scaled(x, 2.0).tolist(),
    }
    for name, call in calls.items():
        results = []
        for values in (honest, lies):
            try:
                results.append(call(values))
            except (TypeError, ValueError) as error:
                results.append(type(error))
        assert results[0] == results[1], (name, results)
"""
RESIZED = """
class Resizes:
    def __init__(self, values, size):
        self.values, self.size = values, size
    def __index__(self):
        self.values.resize(self.size, refcheck=False)
        self.values[:] = 3.0
        return 2
    __float__ = lambda self: float(self.__index__())
for space in (p, getattr(p, "fast", None), getattr(p, "idiomatic", None)):
    for name in ("array_inplace", "scaled"):
        function = getattr(space, name, None)
        for before, after in ((200_000, 4), (4, 200_000), (200_000, 0)) if function else ():
            values = np.ones(before)
            try:
                result = function(values, Resizes(values, after))
            except (TypeError, ValueError):
                continue
            result = values if result is None else result
            assert result.shape == (after,) and (result == 6.0).all(), (space, name, before)
"""


def test_arrays_that_lie(backend: ModuleType) -> None:
    run_in_child(backend, [LIES])


def test_numbers_are_converted_before_an_array_is_borrowed(backend: ModuleType) -> None:
    """The __float__ of a number may free the array's memory."""
    run_in_child(backend, [RESIZED])


@pytest.mark.skipif(WITHOUT_GIL, reason="NumPy itself crashes: its setters are not locked")
def test_an_array_that_another_thread_changes(backend: ModuleType) -> None:
    run_in_child(
        backend,
        [
            """
import threading, time
values = np.ones(100)
done = time.monotonic() + 0.5
def change():
    while time.monotonic() < done:
        values.dtype = np.int8
        values.dtype = np.float64
        values.shape = (1, 100)
        values.shape = (100,)
thread = threading.Thread(target=change)
sys = __import__("sys")
sys.setswitchinterval(1e-6)
thread.start()
calls = [lambda x: p.scaled(x, 1.0), lambda x: p.array_inplace(x, 1.0)]
while time.monotonic() < done:
    for call in (p.array_in, p.array_map, p.strided_in, *calls):
        try:
            result = call(values)
            assert result is None or np.sum(result) in (100.0, 200.0), result
        except (TypeError, ValueError):
            pass
thread.join()
"""
        ],
    )


# ---- Items that change their container, or whose class lies about them.


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
