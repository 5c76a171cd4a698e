"""Hostile calls of a package that is made from a template.

`attacks.py PACKAGE FIRST` runs the attacks from number FIRST on; PACKAGE is `operators` for the
template of torch, and `smooth` for the others. It prints the name of each attack before it runs,
because it may end the process, and a line that begins with `!` for each fault. A call may give the
right answer or raise an Exception; everything else is a fault.
"""

from __future__ import annotations

import array
import contextlib
import copy
import ctypes
import gc
import mmap
import pickle
import sys
import threading
import weakref
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

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


# ---- right answers ----------------------------------------------------------------------------


def ema(x: Any, alpha: float = 0.5) -> np.ndarray:
    """Return the exponential moving average."""
    made: list[float] = []
    for value in np.asarray(x, np.float64).tolist():
        made.append(made[-1] + alpha * (value - made[-1]) if made else value)
    return np.array(made)


def raises(error: str, function: Callable[..., Any], *arguments: Any) -> Iterator[str]:
    """Yield a fault unless the call raises this error: `ValueError: alpha must be ...`."""
    try:
        got = function(*arguments)
    except Exception as raised:
        if f"{type(raised).__name__}: {raised}" != error:
            yield f"{raised!r}, not {error}"
    else:
        yield f"{got!r:.80}, not {error}"


def averages(average: Callable[[Any, float], Any], error: str, to: Any, of: Any) -> Iterator[str]:
    """Yield the wrong answers of `average(x, alpha)`, where `to` and `of` convert arrays."""
    for n in (0, 1, 2, 1000):
        x = np.random.default_rng(n).normal(size=n)
        if not np.array_equal(of(average(to(x), 0.25)), ema(x, 0.25)):
            yield f"the average of {n} numbers"
    for alpha in (0.0, -1.0, 1.5, float("nan")):
        message = f"{error}: alpha must be above 0 and at most 1"
        yield from raises(message, average, to(np.ones(3)), alpha)
    for bad in (np.nan, np.inf):
        yield from raises(f"{error}: x must be finite", average, to(np.array([1.0, bad])), 0.5)


def checksums(crc32: Callable[[Any], int], to: Any) -> Iterator[str]:
    for n in (0, 1, 2, 1000):
        data = np.random.default_rng(n).bytes(n)
        if crc32(to(data)) != zlib.crc32(data):
            yield f"the checksum of {n} bytes"


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
        "2-D": x.reshape(3, 3),
        "2-D, Fortran's order": np.asfortranarray(x.reshape(3, 3)),
        "every second item": x[::2],
        "backwards": x[::-1],
        "read-only": np.frombuffer(x.tobytes()),
        "misaligned": misaligned(),
        "a lying subclass": x.copy().view(Lying),
        "a record": np.zeros(4, [("a", "f8"), ("b", "i4")]),
        "dates": x.astype("M8[s]"),
        "objects": np.array([object() for _ in range(9)]),
        "floats as objects": x.astype(object),
        "a list": x.tolist(),
        "a list with None": [1.0, None],
        "nested lists": [[1.0], [2.0, 3.0]],
        "a tuple": (1.0, 2.0),
        "None": None,
        "text": "text",
        "a number": 5,
        "bytes": b"123456789",
        "bytes with a lying len": LongBytes(b"123456789"),
        "a bytearray": bytearray(b"123456789"),
        "a bytearray with a lying len": LongBytearray(b"123456789"),
        "a memoryview": memoryview(x),
        "every second byte": memoryview(b"123456789")[::2],
        "a memoryview of 2-D": memoryview(bytes(16)).cast("B", (4, 4)),
        "a released memoryview": released(),
        "array.array": array.array("d", x),
        "ctypes doubles": (ctypes.c_double * 9)(*x),
        "ctypes bytes": (ctypes.c_uint8 * 9)(*b"123456789"),
        "ctypes, 2-D": (ctypes.c_double * 3 * 3)(),
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


# ---- the functions ----------------------------------------------------------------------------


def right_average(x: Any) -> np.ndarray | None:
    values = numbers(x)
    return None if values is None else ema(values)


def right_checksum(x: Any) -> int | None:
    data = memory(x)
    return None if data is None else zlib.crc32(data)


def each(name: str, call: Any, right: Callable[[Any], Any]) -> Iterator[tuple[str, Attack]]:
    """Attack a function of one argument with every object."""

    def attack(what: str) -> Iterator[str]:
        x = given()[what]
        expected, before, references = right(x), memory(x), sys.getrefcount(x)
        got = outcome(call, x)
        if not same(got, expected):
            yield f"{got!r:.80}, not {expected!r:.80}"
        if memory(x) != before:
            yield "the argument has changed"
        del got
        gc.collect()
        if x is not None and sys.getrefcount(x) > references:
            yield "a reference is left"
        try:
            if isinstance(x, bytearray | array.array):
                x.append(1)
        except BufferError as error:  # the memory is still exported
            yield str(error)

    for what in given():
        yield f"{name} of {what}", partial(attack, what)
    for what in ("float64", "bytes", "2-D", "every second byte"):
        yield f"{name} of {what}, leaks", partial(leaks, call, given()[what])


CHANGES: dict[str, Callable[[np.ndarray], object]] = {
    "shrinks": lambda x: x.resize(4, refcheck=False),
    "grows": lambda x: x.resize(2 * N, refcheck=False),
    "reshapes": lambda x: setattr(x, "shape", (2, -1)),
    "locks": lambda x: x.setflags(write=False),
}


def changing(ema_of: Any) -> Iterator[tuple[str, Attack]]:
    """Attack a function of an array and a number with a number that changes the array."""

    def attack(change: Callable[[np.ndarray], object], method: str) -> Iterator[str]:
        x, value = np.ones(N), 1 if method == "__index__" else 0.5
        got = outcome(ema_of, x, Made(**{method: lambda self: change(x) or value}))
        if got is not REFUSED and np.shape(got) != x.shape:
            yield f"a result of shape {np.shape(got)}"

    def items() -> Iterator[str]:
        x: list[Any] = []
        x += [Made(__float__=lambda self: x.clear() or 1.0) for _ in range(9)]
        got = outcome(ema_of, x, 0.5)
        if got is not REFUSED and np.size(got) not in (0, 1, 9):
            yield f"{got!r:.80}"

    for name, change in CHANGES.items():
        for method in ("__float__", "__index__"):
            yield f"ema, {method} {name}", partial(attack, change, method)
    yield "ema, a list that its items change", items
    for error in (KeyError("from Python"), KeyboardInterrupt()):
        yield f"ema, __float__ raises {error!r}", partial(identity, ema_of, error)
    yield "ema, text for a number", partial(refuses, ema_of, np.ones(3), "0.5")


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


# ---- the class --------------------------------------------------------------------------------

PART = np.array([1.0, 2.0, 4.0])
EXPECTED = np.split(ema(np.tile(PART, 3)), 3)
"""The first three answers of an average to PART."""
WRONG = ((5.0,), (float("nan"),), ("text",), (), (0.5, 0.5, 0.5))
"""Arguments that __init__ refuses."""


def duplicates() -> dict[str, Callable[[Any], Any]]:
    ways: dict[str, Callable[[Any], Any]] = {"copy": copy.copy, "deepcopy": copy.deepcopy}
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        ways[f"pickle {protocol}"] = lambda x, p=protocol: pickle.loads(pickle.dumps(x, p))
        ways[f"__reduce_ex__({protocol})"] = lambda x, p=protocol: rebuilt(x.__reduce_ex__(p))
    return ways


def rebuilt(reduced: Any) -> Any:
    function, arguments, state, *_ = *reduced, None
    made = function(*arguments)
    if state is not None:
        made.__setstate__(state) if hasattr(made, "__setstate__") else vars(made).update(state)
    return made


def steps(made: Any, *at: int) -> Iterator[str]:
    """Yield a fault unless the next answer of an object is one of these."""
    got = outcome(made.update, PART)
    if not any(same(got, EXPECTED[number]) for number in at):
        yield f"{got!r:.60}, not answer {at}"


def class_attacks(kind: Any) -> Iterator[tuple[str, Attack]]:
    def wrong_self() -> Iterator[str]:
        for other in (3, None, object(), "text", kind, np.ones(3), Made(), [1]):
            if (got := outcome(kind.update, other, PART)) is not REFUSED:
                yield f"update of {other!r:.30} gives {got!r:.60}"

    def unmade(make: Callable[[], Any]) -> Iterator[str]:
        """Yield a fault if an object that was never initialised gives an answer."""
        held = [bytearray(b"\xab" * size) for size in (16, 24, 32, 48, 64, 96) * 200]
        del held  # freed memory that is not zero
        made = outcome(make)
        if made is REFUSED:
            return
        repr(made)
        outcome(hash, made)
        for duplicate in (lambda x: x, *duplicates().values()):
            other = outcome(duplicate, made)
            if other is not REFUSED and (got := outcome(other.update, PART)) is not REFUSED:
                yield f"it gives {got!r:.60}"

    def copied(duplicate: Callable[[Any], Any]) -> Iterator[str]:
        made = kind(0.5)
        yield from steps(made, 0)
        second = outcome(duplicate, made)
        yield from steps(made, 1)
        if second is not REFUSED:
            yield from steps(second, 1)
            del made
            gc.collect()
            for other in [kind(0.5) for _ in range(50)]:
                outcome(other.update, PART)
            yield from steps(second, 2)

    def again(*arguments: Any) -> Iterator[str]:
        """Call __init__ a second time: the object goes on as before, or from the start."""
        made = kind(0.5)
        yield from steps(made, 0)
        outcome(made.__init__, *arguments)
        yield from steps(made, 0, 1)

    def goes_on(wrong: tuple[Any, ...]) -> Iterator[str]:
        """Use an object whose __init__ has failed within a subclass's."""

        def init(self: Any, *_: Any) -> None:
            outcome(lambda: kind.__init__(self, *wrong))

        made = outcome(lambda: type("Sub", (kind,), {"__init__": init})(0.5))
        if made is not REFUSED:  # made by __new__, or never
            yield from steps(made, 0)

    def reentrant() -> Iterator[str]:
        made = kind(0.5)

        def convert(self: Any) -> float:
            outcome(made.__init__, 0.5)
            outcome(made.update, PART)
            return 0.5

        outcome(made.__init__, Made(__float__=convert, __index__=convert))
        outcome(made.update, PART)
        return iter(())

    def collected(make: Callable[[], Any]) -> Iterator[str]:
        """Yield a fault if an object stays, or one of a subclass that refers to itself."""
        made = outcome(make)
        reference = outcome(weakref.ref, made)
        if made is REFUSED or reference is REFUSED:
            return
        yield from steps(made, 0)
        if hasattr(made, "__dict__"):
            made.me = made
        del made
        gc.collect()
        if reference() is not None:
            yield "the object stays"

    def threads() -> Iterator[str]:
        """Yield a fault if a call saw the state of another one that had not ended."""
        shared, results = kind(0.5), list[Any]()

        def feed(value: float) -> None:
            for _ in range(20):
                with contextlib.suppress(RuntimeError):  # PyO3 refuses the second of two calls
                    results.append((value, shared.update(np.full(N, value))))

        running = [threading.Thread(target=feed, args=(value,)) for value in (0.0, 1.0)]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        if any(not np.array_equal(y[1:], y[:-1] + 0.5 * (value - y[:-1])) for value, y in results):
            yield "two calls have mixed"

    yield "update, wrong self", wrong_self
    makers = {base.__name__: partial(base.__new__, kind) for base in kind.__mro__}
    for name, make in makers.items():
        yield f"Average, {name}.__new__ alone", partial(unmade, make)
    for name, duplicate in duplicates().items():
        yield f"Average, {name}", partial(copied, duplicate)
    yield "Average, a second __init__", partial(again, 0.5)
    for wrong in WRONG:
        yield f"Average, __init__{wrong} fails", partial(again, *wrong)
        yield f"Average{wrong} in a subclass that goes on", partial(goes_on, wrong)
        yield f"Average{wrong}, leaks", partial(leaks, kind, *wrong)
    for error in (KeyError("from Python"), KeyboardInterrupt()):
        make = partial(identity, lambda _, alpha: kind(alpha), error)
        yield f"Average, __float__ raises {error!r}", make
    yield "Average, __init__ that comes back", reentrant
    yield "Average is collected", partial(collected, partial(kind, 0.5))
    yield "a subclass is collected", partial(collected, lambda: type("Sub", (kind,), {})(0.5))
    made = kind(0.5)
    yield "Average, leaks", partial(leaks, lambda: kind(0.5).update(PART))
    yield "Average, leaks of a second __init__", partial(leaks, made.__init__, 0.5)
    yield "Average, leaks of __new__", partial(leaks, kind.__new__, kind)
    yield "Average, two threads", threads


def smooth() -> Iterator[tuple[str, Attack]]:
    """Yield the attacks on a template."""
    import smooth as package

    kind = package.Average

    def in_parts(x: Any, alpha: float) -> Any:
        made = kind(alpha)
        parts = [made.update(part) for part in np.array_split(x, 3)]
        assert all(type(part) is np.ndarray and part.dtype == np.float64 for part in parts)
        return np.concatenate(parts)

    def answers() -> Iterator[str]:
        for function in (in_parts, package.ema):
            yield from averages(function, "ValueError", np.asarray, np.asarray)
        yield from checksums(package.crc32, bytes)
        made = kind(0.5)
        made.update(np.array([1.0]))
        yield from raises("ValueError: x must be finite", made.update, np.array([2.0, np.nan]))
        if made.update(np.array([3.0])) != [2.0]:
            yield "a refused call has changed the state"
        if kind.__module__.split(".")[0] != "smooth":
            yield f"the class is {kind.__module__}.Average"

    yield "answers", answers
    yield from each("update", lambda x: kind(0.5).update(x), right_average)
    yield from each("ema", lambda x: package.ema(x, 0.5), right_average)
    yield from each("crc32", package.crc32, right_checksum)
    yield from changing(package.ema)
    yield from class_attacks(kind)


# ---- the template for torch --------------------------------------------------------------------


def operators() -> Iterator[tuple[str, Attack]]:
    """Yield the attacks on the template for torch."""
    import torch

    import smooth as package

    x = torch.tensor([1.0, 2.0, 4.0, 8.0], dtype=torch.float64)
    data = torch.arange(9, dtype=torch.uint8)
    tensors = {
        "float32": x.float(),
        "float16": x.half(),
        "int64": x.long(),
        "complex": x.to(torch.complex128),
        "every second": x[::2],
        "2-D": x.reshape(2, 2),
        "0-d": x[0],
        "no items": x[:0],
        "negated": torch._neg_view(x),
        "a conjugate's imaginary part": (x * 1j).conj().imag.contiguous(),
        "expanded": x[:1].expand(4),
        "sparse": x.to_sparse(),
        "on no device": x.to("meta"),
        "a parameter": torch.nn.Parameter(x),
        "uint8": data,
        "every second byte": data[::2],
        "int8": data.to(torch.int8),
        "bytes, 2-D": data.reshape(3, 3),
        "an array": x.numpy(),
        "a list": x.tolist(),
        "None": None,
    }

    def bytes_of(raw: bytes) -> torch.Tensor:
        return torch.tensor(list(raw), dtype=torch.uint8)

    def answers() -> Iterator[str]:
        yield from averages(package.ema, "RuntimeError", torch.tensor, np.asarray)
        yield from checksums(package.crc32, bytes_of)
        operators = torch.ops.smooth
        for operator, arguments in ((operators.ema, (x, 0.5)), (operators.crc32, (data,))):
            found = torch.library.opcheck(operator, arguments, raise_exception=False)
            for name, got in found.items():
                if got != "SUCCESS":
                    yield f"{operator}, {name}: {got!r:.300}"

    def each_tensor(
        call: Callable[[Any], Any], right: Callable[[Any], Any], kind: Any
    ) -> Iterator[str]:
        for what, tensor in tensors.items():
            try:
                got = call(tensor)
            except Exception:
                continue
            fits = isinstance(tensor, torch.Tensor) and tensor.dtype == kind
            if fits and tensor.is_meta and getattr(got, "is_meta", False):
                continue
            if (
                not fits
                or tensor.is_meta
                or not np.array_equal(
                    np.asarray(got.detach() if hasattr(got, "detach") else got),
                    right(tensor.detach().resolve_neg().numpy()),
                )
            ):
                yield f"{what}: {got!r:.80}"

    def tangent() -> Iterator[str]:
        _, t = torch.func.jvp(lambda x: package.ema(x, 0.5), (x,), (x + 1,))
        if not np.allclose(t, ema(x + 1)):  # the function is linear
            yield f"{t} instead of {ema(x + 1)}"

    def gradient() -> Iterator[str]:
        for weights in (torch.ones(4, dtype=torch.float64), x - 3):
            leaf = x.clone().requires_grad_()
            (package.ema(leaf, 0.5) @ weights).backward()
            expected = [float(ema(row) @ weights.numpy()) for row in np.eye(4)]
            if not np.allclose(leaf.grad, expected):
                yield f"{leaf.grad}, not {expected}"

    def compiled() -> Iterator[str]:
        compile = partial(torch.compile, backend="eager", fullgraph=True)
        got = compile(lambda x: package.ema(x, 0.5) + 1)(x)
        if not np.array_equal(np.asarray(got), ema(x) + 1):
            yield f"{got}"
        crc = compile(lambda data: package.crc32(data) + 1)(data)
        if crc != zlib.crc32(data.numpy()) + 1:
            yield f"{crc}"

    def mapped() -> Iterator[str]:
        got = torch.func.vmap(lambda x: package.ema(x, 0.5))(torch.stack([x, x + 1]))
        if not np.allclose(got, [ema(x), ema(x + 1)]):
            yield f"{got}"

    def refused(attack: Callable[[], Iterator[str]]) -> Callable[[], Iterator[str]]:
        """Return an attack whose call may raise RuntimeError or NotImplementedError."""

        def run() -> Iterator[str]:
            with contextlib.suppress(RuntimeError, NotImplementedError):
                yield from attack()

        return run

    yield "answers", answers
    average = lambda x: package.ema(x, 0.5)  # noqa: E731
    yield "ema of other tensors", partial(each_tensor, average, ema, torch.float64)
    yield "crc32 of other tensors", partial(each_tensor, package.crc32, zlib.crc32, torch.uint8)
    yield "jvp", refused(tangent)
    yield "vmap", refused(mapped)
    yield "gradient", gradient
    yield "compile", compiled


def main() -> None:
    sys.setswitchinterval(1e-5)
    attacks = list({"smooth": smooth, "operators": operators}[sys.argv[1]]())
    for number, (name, attack) in enumerate(attacks):
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
