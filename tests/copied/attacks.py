"""Hostile calls of a package that is made from a template or a page.

`attacks.py OFFERS FIRST [ROOT]` runs the attacks from number FIRST on. It prints the name of each
before it runs, because an attack may end the process, and a line that begins with `!` for each
fault. A call may give the right answer or raise an Exception; everything else is a fault.
"""

from __future__ import annotations

import array
import copy
import ctypes
import gc
import mmap
import pickle
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import offers
from offers import Class, Offer, Vector

Attack = Callable[[], Iterator[str]]
N = 200_000  # the pages of an array of this size are unmapped when it shrinks
LEAKED = 1000


class Refused:
    """The outcome of a call that raised an exception."""

    def __repr__(self) -> str:
        return "an exception"


REFUSED = Refused()


def outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a call returns, or REFUSED."""
    try:
        return function(*arguments)
    except SystemError as error:
        return error
    except Exception:
        return REFUSED
    except BaseException as error:  # a panic of Rust, for example
        return error


def same(got: Any, expected: Any) -> bool:
    """Return True if a call was refused or its result is right."""
    if got is REFUSED:
        return True
    if expected is None or isinstance(got, BaseException):
        return False
    return np.shape(got) == np.shape(expected) and np.allclose(got, expected, rtol=1e-12, atol=0)


# ---- arrays -----------------------------------------------------------------------------------


class Lying(np.ndarray):
    """An array whose attributes have nothing to do with its memory."""

    size = nbytes = property(lambda self: 10**9)
    shape = property(lambda self: (10**9,))
    strides = property(lambda self: (1 << 40,))
    ndim = property(lambda self: 1)
    dtype = property(lambda self: np.dtype("f8"))
    ctypes = property(lambda self: ctypes)
    data = __array_interface__ = property(lambda self: 1 / 0)

    def __len__(self) -> int:
        return 10**9

    def __dlpack__(self, **_: Any) -> Any:
        return np.ones(9).__dlpack__()


class LongBytes(bytes):
    def __len__(self) -> int:
        return 10**9


class LongBytearray(bytearray):
    def __len__(self) -> int:
        return 10**9


class Made:
    """An object with the methods that it is made of."""

    def __init__(self, **methods: Callable[..., Any]) -> None:
        self.__class__ = type("Made", (Made,), methods)


class ShortBuffer:
    def __buffer__(self, flags: int) -> memoryview:
        return memoryview(bytearray(b"abc"))


def raising(error: BaseException) -> Callable[..., Any]:
    def function(*_: Any, **__: Any) -> Any:
        raise error

    return function


def misaligned() -> np.ndarray:
    return np.frombuffer(bytearray(8 * 9 + 1), np.uint8)[1:].view("f8")


def read_only(x: np.ndarray) -> np.ndarray:
    x.flags.writeable = False
    return x


def given() -> dict[str, Any]:
    """Return objects for an argument that is an array or a buffer."""
    x = np.arange(1.0, 10.0)
    kinds = ["f4", "f2", "g", "i4", "i8", "u1", "u8", "?", "c16", "c8", ">f8", ">i4", "U9", "S9"]
    made = {f"an array of {kind}": x.astype(kind) for kind in kinds}
    lying = Made(__array__=lambda self, *_, **__: "text")
    device = Made(
        __dlpack__=lambda self, **_: x.__dlpack__(), __dlpack_device__=lambda self: (2, 0)
    )
    return made | {
        "float64": x,
        "no items": np.empty(0),
        "no items, 2-D": np.empty((0, 3)),
        "one item": np.array([2.5]),
        "0-d": np.array(3.0),
        "a numpy scalar": np.float64(3.0),
        "2-D": x.reshape(3, 3),
        "2-D, Fortran's order": np.asfortranarray(x.reshape(3, 3)),
        "every second item": x[::2],
        "backwards": x[::-1],
        "one item, repeated": np.broadcast_to(x[:1], 9),
        "read-only": read_only(x.copy()),
        "misaligned": misaligned(),
        "a lying subclass": x.copy().view(Lying),
        "a matrix": x.view(np.matrix),
        "a record": np.zeros(4, [("a", "f8"), ("b", "i4")]),
        "a record of bytes": np.zeros(4, [("a", "u1"), ("b", "f8")]),
        "dates": x.astype("M8[s]"),
        "objects": np.array([object() for _ in range(9)]),
        "floats as objects": x.astype(object),
        "a list": x.tolist(),
        "a list with None": [1.0, None],
        "a list with text": [1.0, "2"],
        "nested lists": [[1.0], [2.0, 3.0]],
        "a tuple": (1.0, 2.0),
        "None": None,
        "text": "text",
        "a number": 5,
        "a class": np.ndarray,
        "bytes": b"123456789",
        "empty bytes": b"",
        "bytes with a lying len": LongBytes(b"123456789"),
        "a bytearray": bytearray(b"123456789"),
        "a bytearray with a lying len": LongBytearray(b"123456789"),
        "a memoryview": memoryview(x),
        "every second byte": memoryview(b"123456789")[::2],
        "a memoryview of 2-D": memoryview(bytes(16)).cast("B", (4, 4)),
        "a memoryview of long": memoryview(array.array("l", [1, 2, 3])),
        "a released memoryview": released(),
        "array.array": array.array("d", x),
        "array.array of float": array.array("f", x),
        "ctypes doubles": (ctypes.c_double * 9)(*x),
        "ctypes bytes": (ctypes.c_uint8 * 9)(*b"123456789"),
        "ctypes, 2-D": (ctypes.c_double * 3 * 3)(),
        "ctypes, no items": (ctypes.c_double * 0)(),
        "a ctypes number": ctypes.c_double(2.5),
        "a ctypes pointer": ctypes.pointer(ctypes.c_double(2.5)),
        "a map of memory": mmap.mmap(-1, 4096),
        "a lying __array__": lying,
        "__array__ that raises": Made(__array__=lambda self, *_, **__: {}["missing"]),
        "a lying device": device,
        "a lying __dlpack__": Made(__dlpack__=lambda self, **_: 5, __dlpack_device__=device),
        "a lying __len__": Made(
            __len__=lambda self: 1000, __getitem__=lambda self, i: [1.0, 2.0][i]
        ),
        "a short buffer": ShortBuffer(),
    }


def released() -> memoryview:
    view = memoryview(b"abc")
    view.release()
    return view


def numbers(x: Any) -> np.ndarray | None:
    """Return the numbers in one dimension that an object stands for, or None.

    The capsule of DLPack says itself on which device its memory is, whatever the object says.
    """
    if isinstance(x, str | bytes):
        return None
    try:
        capsule = isinstance(x, Made) and hasattr(x, "__dlpack__")
        seen = np.from_dlpack(x) if capsule else np.asarray(x)
        exact = seen.dtype == object and all(isinstance(item, float) for item in seen.flat)
        return (
            seen.astype("f8") if seen.ndim == 1 and (exact or seen.dtype.kind in "biuf") else None
        )
    except Exception:
        return None


def memory(x: Any) -> bytes | None:
    if isinstance(x, np.ndarray):
        return np.asarray(x).tobytes() if x.flags.c_contiguous else None
    try:
        return bytes(memoryview(x).cast("B"))
    except Exception:
        return None


def vector_attacks(name: str, vector: Vector) -> Iterator[tuple[str, Attack]]:
    def call(what: str) -> Iterator[str]:
        x = given()[what]
        values, before = numbers(x), memory(x)
        if vector.capsule and isinstance(x, Lying):
            values = np.ones(9)
        if vector.writes and isinstance(x, np.ndarray) and not x.flags.writeable:
            values = None
        references = sys.getrefcount(x)
        got = outcome(vector.call, x)
        if not same(got, None if values is None else vector.right(values)):
            yield f"{got!r:.80}"
        if (got is REFUSED or not vector.writes) and memory(x) != before:
            yield "the argument has changed"
        del got
        gc.collect()
        if x is not None and sys.getrefcount(x) > references:
            yield "a reference is left"
        yield from exported(x)

    for what in given():
        yield f"{name} of {what}", lambda what=what: call(what)
    yield f"{name}, leaks", lambda: leaks(vector.call, np.ones(3))
    yield f"{name} refused, leaks", lambda: leaks(vector.call, np.ones((3, 3)))
    yield f"{name}, a generator that changes it", lambda: changing(vector)


def changing(vector: Vector) -> Iterator[str]:
    x: list[Any] = []
    x += [Made(__float__=lambda self: x.clear() or 1.0) for _ in range(9)]
    got = outcome(vector.call, x)
    if not isinstance(got, Refused) and np.size(got) not in (0, 1, 9):
        yield f"{got!r:.80}"


def exported(x: Any) -> Iterator[str]:
    """Yield a fault if the memory is still exported."""
    try:
        if isinstance(x, bytearray | array.array):
            x.append(1)
    except BufferError as error:
        yield str(error)


def bytes_attacks(name: str, call: Callable[..., Any], right: Any) -> Iterator[tuple[str, Attack]]:
    def attack(what: str) -> Iterator[str]:
        x = given()[what]
        data = None if isinstance(x, LongBytes) else memory(x)
        if isinstance(x, LongBytes):
            data = bytes(memoryview(x))
        references = sys.getrefcount(x)
        got = outcome(call, x)
        if not same(got, None if data is None else right(data)):
            yield f"{got!r:.80}, not {None if data is None else right(data)}"
        gc.collect()
        if x is not None and sys.getrefcount(x) > references:
            yield "a reference is left"
        yield from exported(x)

    for what in given():
        yield f"{name} of {what}", lambda what=what: attack(what)
    yield f"{name}, leaks", lambda: leaks(call, b"123456789")
    yield f"{name} refused, leaks", lambda: leaks(call, memoryview(b"123456789")[::2])


def resize_attacks(name: str, vector: Vector, call: Any) -> Iterator[tuple[str, Attack]]:
    """Attack a function of an array and a number with a number that changes the array."""

    def shrink(x: np.ndarray) -> None:
        x.resize(4, refcheck=False)

    def grow(x: np.ndarray) -> None:
        x.resize(2 * N, refcheck=False)

    def reshape(x: np.ndarray) -> None:
        x.shape = (2, -1)

    def lock(x: np.ndarray) -> None:
        x.flags.writeable = False

    def attack(change: Callable[[np.ndarray], None], method: str) -> Iterator[str]:
        x, value = np.ones(N), 1 if method == "__index__" else 0.5

        def convert(self: Any) -> Any:
            change(x)
            return value

        got = outcome(call, x, Made(**{method: convert}))
        expected = vector.right(np.ones(x.size)) if x.ndim == 1 else None
        if got is not REFUSED and np.shape(got) != np.shape(expected):
            yield f"a result of shape {np.shape(got)}"

    for change in (shrink, grow, reshape, lock):
        for method in ("__float__", "__index__"):
            what = f"{name}, {method} does {change.__name__}"
            yield what, lambda change=change, method=method: attack(change, method)
    for error in (KeyError("from Python"), KeyboardInterrupt()):
        what = f"{name}, __float__ raises {type(error).__name__}"
        yield what, lambda error=error: identity(call, error)
    yield f"{name}, text for a number", lambda: refuses(call, np.ones(3), "0.5")


def identity(call: Any, error: BaseException) -> Iterator[str]:
    try:
        call(np.ones(3), Made(__float__=raising(error)))
    except BaseException as raised:
        if raised is not error:
            yield f"{raised!r} came out"
    else:
        yield "no exception"


def refuses(call: Any, *arguments: Any) -> Iterator[str]:
    if (got := outcome(call, *arguments)) is not REFUSED:
        yield f"{got!r:.80}"


# ---- memory -----------------------------------------------------------------------------------


class Mallinfo2(ctypes.Structure):
    """glibc's struct mallinfo2."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in ("arena", "b", "c", "d", "mapped", "f", "g", "used", "i", "j")
    ]


def in_use() -> tuple[int, int]:
    """Return the bytes that malloc has given out, and the blocks of Python's own allocator."""
    gc.collect()
    mallinfo2 = getattr(ctypes.CDLL(None), "mallinfo2", Mallinfo2)  # only glibc has it
    mallinfo2.restype = Mallinfo2
    found = mallinfo2()
    return found.used + found.mapped, sys.getallocatedblocks()


def leaks(call: Callable[..., Any], *arguments: Any) -> Iterator[str]:
    """Yield a fault if repeated calls use more and more memory."""
    for _ in range(LEAKED // 5):
        outcome(call, *arguments)
    before = in_use()
    for _ in range(LEAKED):
        outcome(call, *arguments)
    grown = [new - old for new, old in zip(in_use(), before, strict=True)]
    if grown[0] > 12 * LEAKED or grown[1] > LEAKED // 2:
        yield f"{LEAKED} calls leave {grown[0]} bytes and {grown[1]} blocks"


# ---- classes ----------------------------------------------------------------------------------


def fresh(one: Class) -> Any:
    return one.make() if one.make else one.kind(*one.arguments)


def poison() -> None:
    """Leave freed memory behind that is not zero."""
    for size in (16, 24, 32, 48, 64, 96, 128):
        held = [bytearray(b"\xab" * size) for _ in range(200)]
        del held


def steps(one: Class, made: Any, at: int = 0) -> Iterator[str]:
    """Yield a fault if an object, after `at` steps, goes on with a wrong one."""
    got = outcome(one.step, made)
    if not same(got, one.expected[at]):
        yield f"step {at} gives {got!r:.60}, not {one.expected[at]}"


def class_attacks(name: str, one: Class) -> Iterator[tuple[str, Attack]]:
    def wrong_self(method: str, arguments: tuple[Any, ...]) -> Iterator[str]:
        found = getattr(one.kind, method)
        call = found if callable(found) else found.__get__
        for other in (3, None, object(), "text", one.kind, np.ones(3), Made(), [1]):
            got = outcome(call, other, *(arguments if callable(found) else ()))
            own = (found, *vars(one.kind).values())  # what a property finds in the class itself
            if got is not REFUSED and not any(got is value for value in own):
                yield f"{method} of {other!r:.30} gives {got!r:.60}"

    for method, arguments in one.methods.items():
        yield f"{name}.{method}, wrong self", lambda m=method, a=arguments: wrong_self(m, a)

    def unmade(make: Callable[..., Any]) -> Iterator[str]:
        poison()
        made = outcome(make, one.kind)
        if made is REFUSED:
            return
        repr(made)
        outcome(hash, made)
        for _ in range(3):
            got = outcome(one.step, made)
            if got is not REFUSED and not any(same(got, zero) for zero in one.zero):
                yield f"it gives {got!r:.60}"
        for method, arguments in one.methods.items():
            outcome(lambda made=made, m=method, a=arguments: getattr(made, m)(*a))
        del made
        gc.collect()

    yield f"{name}.__new__ alone", lambda: unmade(lambda kind: kind.__new__(kind))
    yield f"{name}, object.__new__", lambda: unmade(object.__new__)
    for base in one.kind.__mro__[1:-1]:
        what = f"{name}, {base.__name__}.__new__"
        yield what, lambda base=base: unmade(lambda kind: base.__new__(kind))

    def copied(duplicate: Callable[[Any], Any]) -> Iterator[str]:
        made = fresh(one)
        yield from steps(one, made)
        second = outcome(duplicate, made)
        if second is REFUSED:
            yield from steps(one, made, 1)
            return
        yield from steps(one, second, 1)
        yield from steps(one, made, 1)
        del made
        gc.collect()
        others = [fresh(one) for _ in range(50)]
        for other in others:
            outcome(one.step, other)
        yield from steps(one, second, 2)

    ways: dict[str, Callable[[Any], Any]] = {"copy": copy.copy, "deepcopy": copy.deepcopy}
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        ways[f"pickle {protocol}"] = lambda x, p=protocol: pickle.loads(pickle.dumps(x, p))
        ways[f"__reduce_ex__({protocol})"] = lambda x, p=protocol: rebuilt(x.__reduce_ex__(p))
    for way, duplicate in ways.items():
        yield f"{name}, {way}", lambda duplicate=duplicate: copied(duplicate)
        what = f"{name}, {way} of an object without __init__"
        yield what, lambda duplicate=duplicate: duplicates_unmade(duplicate)

    def duplicates_unmade(duplicate: Callable[[Any], Any]) -> Iterator[str]:
        made = outcome(one.kind.__new__, one.kind)
        second = REFUSED if made is REFUSED else outcome(duplicate, made)
        if second is not REFUSED:
            outcome(one.step, second)
        return iter(())

    def again(*arguments: Any) -> Iterator[str]:
        made = fresh(one)
        yield from steps(one, made)
        before = outcome(made.__init__, *arguments)
        got = outcome(one.step, made)  # as before, or from the start
        if not any(same(got, right) for right in one.expected[:2]):
            yield f"__init__{arguments} ({before!r:.30}) and then {got!r:.60}"
        outcome(one.step, made)

    yield f"{name}, a second __init__", lambda: again(*one.arguments)
    for wrong in one.wrong:
        yield f"{name}, __init__{wrong} fails", lambda wrong=wrong: again(*wrong)
        yield f"{name}{wrong} in a subclass that goes on", lambda wrong=wrong: goes_on(wrong)
        yield f"{name}{wrong}, leaks", lambda wrong=wrong: leaks(lambda: one.kind(*wrong))

    def goes_on(wrong: tuple[Any, ...]) -> Iterator[str]:
        def init(self: Any, *_: Any) -> None:
            outcome(lambda: one.kind.__init__(self, *wrong))

        kind = outcome(lambda: type("Sub", (one.kind,), {"__init__": init}))
        made = REFUSED if kind is REFUSED else outcome(kind, *one.arguments)
        if made is not REFUSED:  # made by __new__, or never
            got = outcome(one.step, made)
            if not any(same(got, right) for right in (*one.expected, *one.zero)):
                yield f"{got!r:.60}"
            outcome(made.__init__)
            del made

    def reentrant() -> Iterator[str]:
        made = fresh(one)

        def convert(self: Any) -> float:
            outcome(made.__init__, *one.arguments)
            outcome(one.step, made)
            return one.arguments[0]

        outcome(made.__init__, Made(__float__=convert, __index__=convert))
        outcome(one.step, made)
        return iter(())

    yield f"{name}, __init__ that comes back", reentrant

    def subclass() -> Iterator[str]:
        kind = outcome(lambda: type("Sub", (one.kind,), {}))
        if kind is REFUSED:
            return
        made = outcome(kind, *one.arguments)
        if made is REFUSED:
            return
        yield from steps(one, made)
        if hasattr(made, "__dict__"):
            made.me = made
            gone = weakref.ref(made)
            del made
            gc.collect()
            if gone() is not None:
                yield "a cycle through a subclass's object stays"

    yield f"{name}, subclass", subclass

    def weak() -> Iterator[str]:
        made = fresh(one)
        reference = outcome(weakref.ref, made)
        yield from steps(one, made)
        del made
        gc.collect()
        if reference is not REFUSED and reference() is not None:
            yield "the object stays"

    yield f"{name}, weak reference", weak
    yield f"{name}, leaks", lambda: leaks(lambda: one.step(fresh(one)))
    made = fresh(one)
    yield (
        f"{name}, leaks of a second __init__",
        lambda: leaks(lambda: made.__init__(*one.arguments)),
    )
    yield f"{name}, leaks of __new__", lambda: leaks(lambda: one.kind.__new__(one.kind))
    for attribute in one.attributes:
        for value in ("text", None, 2**70, object()):
            what = f"{name}.{attribute} = {value!r:.10}"
            yield what, lambda a=attribute, v=value: refuses(setattr, fresh(one), a, v)
        yield f"del {name}.{attribute}", lambda a=attribute: refuses(delattr, fresh(one), a)
    if one.threads:
        yield f"{name}, two threads", lambda: one.threads(fresh(one))


def rebuilt(reduced: Any) -> Any:
    function, arguments, state, *_ = *reduced, None
    made = function(*arguments)
    if state is not None:
        made.__setstate__(state) if hasattr(made, "__setstate__") else vars(made).update(state)
    return made


def attacks(offer: Offer) -> Iterator[tuple[str, Attack]]:
    yield "answers", offer.answers
    for name, vector in offer.vectors.items():
        yield from vector_attacks(name, vector)
    for name, (call, right) in offer.bytes.items():
        yield from bytes_attacks(name, call, right)
    for name, (vector, call) in offer.resized.items():
        yield from resize_attacks(name, vector, call)
    for name, one in offer.classes.items():
        yield from class_attacks(name, one)
    yield from offer.more.items()


def main() -> None:
    sys.setswitchinterval(1e-5)
    offer = getattr(offers, sys.argv[1])(*sys.argv[3:])
    for number, (name, attack) in enumerate(list(attacks(offer))):
        if number >= int(sys.argv[2]):
            print(f"{number} {name}", flush=True)
            try:
                for fault in attack():
                    print(f"! {name}: {fault}", flush=True)
            except Exception as error:
                print(f"! {name}: {error!r:.200}", flush=True)
    print("done")


if __name__ == "__main__":
    main()
