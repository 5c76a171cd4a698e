"""What the packages that are built here offer, with right answers from Python."""

from __future__ import annotations

import contextlib
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np


@dataclass
class Vector:
    """A function of an array."""

    call: Callable[[Any], Any]
    right: Callable[[np.ndarray], Any]
    writes: bool = False
    """It changes the array; `call` returns the array."""
    capsule: bool = False
    """It takes what the method `__dlpack__` gives."""


@dataclass
class Class:
    """A class with state: `step` is the same call each time, and `expected` its first answers."""

    kind: Any
    arguments: tuple[Any, ...]
    step: Callable[[Any], Any]
    expected: tuple[Any, Any, Any]
    methods: Mapping[str, tuple[Any, ...]]
    """Arguments of each method; attributes have none."""
    wrong: tuple[tuple[Any, ...], ...] = ()
    """Arguments that __init__ refuses."""
    zero: tuple[Any, ...] = ()
    """Answers of an object that was never initialised, if it must not refuse."""
    attributes: tuple[str, ...] = ()
    threads: Callable[[Any], Iterator[str]] | None = None
    make: Callable[[], Any] | None = None
    """Makes an object, if the class does not."""


@dataclass
class Offer:
    """What a package offers."""

    answers: Callable[[], Iterator[str]]
    vectors: Mapping[str, Vector] = field(default_factory=dict)
    bytes: Mapping[str, tuple[Callable[[Any], Any], Callable[[bytes], int]]] = field(
        default_factory=dict
    )
    resized: Mapping[str, tuple[Vector, Callable[[Any, Any], Any]]] = field(default_factory=dict)
    classes: Mapping[str, Class] = field(default_factory=dict)
    more: Mapping[str, Callable[[], Iterator[str]]] = field(default_factory=dict)


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


def smooth() -> Offer:
    """Return what the templates offer."""
    import smooth as package

    kind = package.Average

    def average(x: Any, alpha: float) -> Any:
        made = kind(alpha)
        parts = [made.update(part) for part in np.array_split(x, 3)]
        assert all(type(part) is np.ndarray and part.dtype == np.float64 for part in parts)
        return np.concatenate(parts)

    def answers() -> Iterator[str]:
        for function in (average, package.ema):
            yield from averages(function, "ValueError", np.asarray, np.asarray)
        yield from checksums(package.crc32, bytes)
        made = kind(0.5)
        made.update(np.array([1.0]))
        yield from raises("ValueError: x must be finite", made.update, np.array([2.0, np.nan]))
        if made.update(np.array([3.0])) != [2.0]:
            yield "a refused call has changed the state"
        if kind.__module__.split(".")[0] != "smooth":
            yield f"the class is {kind.__module__}.Average"

    def threads(shared: Any) -> Iterator[str]:
        """Yield a fault if a call saw the state of another one that had not ended."""
        results: list[Any] = []

        def feed(value: float) -> None:
            for _ in range(20):
                try:
                    results.append((value, shared.update(np.full(200_000, value))))
                except RuntimeError:  # PyO3 refuses the second of two calls
                    continue

        run(feed, [0.0, 1.0])
        for value, y in results:
            if not np.array_equal(y[1:], y[:-1] + 0.5 * (value - y[:-1])):
                yield "two calls have mixed"
                break

    x = np.array([1.0, 2.0, 4.0])
    whole = ema(np.tile(x, 3))
    vector = Vector(lambda x: package.ema(x, 0.5), ema)
    return Offer(
        answers,
        {"update": Vector(lambda x: kind(0.5).update(x), ema), "ema": vector},
        {"crc32": (package.crc32, zlib.crc32)},
        {"ema": (vector, package.ema)},
        {
            "Average": Class(
                kind,
                (0.5,),
                lambda average: average.update(np.array([1.0, 2.0, 4.0])),
                (whole[:3], whole[3:6], whole[6:]),
                {"update": (np.ones(3),)},
                ((5.0,), (float("nan"),), ("text",), (), (0.5, 0.5, 0.5)),
                threads=threads,
            )
        },
    )


def run(function: Callable[[Any], None], arguments: list[Any]) -> None:
    threads = [threading.Thread(target=function, args=(one,)) for one in arguments]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def operators() -> Offer:
    """Return what the template for torch offers."""
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

    def each(call: Callable[[Any], Any], right: Callable[[Any], Any], kind: Any) -> Iterator[str]:
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

    return Offer(
        answers,
        more={
            "ema of other tensors": lambda: each(lambda x: package.ema(x, 0.5), ema, torch.float64),
            "crc32 of other tensors": lambda: each(package.crc32, zlib.crc32, torch.uint8),
            "jvp": refused(tangent),
            "vmap": refused(mapped),
            "gradient": gradient,
            "compile": compiled,
        },
    )
