"""The attacks on the template for torch."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from .answers import averages, checksums, ema
from .outcomes import Attack


def attacks() -> Iterator[tuple[str, Attack]]:
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
            right_kind = isinstance(tensor, torch.Tensor) and tensor.dtype == kind
            if right_kind and tensor.is_meta:
                fits = getattr(got, "is_meta", False)
            elif right_kind:
                expected = right(tensor.detach().resolve_neg().numpy())
                fits = np.array_equal(torch.as_tensor(got).detach(), expected)
            else:
                fits = False
            if not fits:
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
