"""check_op finds what strangers' operators do wrong, and nothing in operators that are right."""

from __future__ import annotations

import ctypes
import itertools
from pathlib import Path
from typing import Any

import pytest

import ffi_cookbook
from support.torch_backend import ops, torch

library = torch.library.Library("lies", "DEF")
X, Y = torch.rand(3, 5) + 1, torch.rand(3, 5) + 1
COUNTED = itertools.count()


def blind(t: Any, offset: int | None = None, strides: Any = (5, 1)) -> Any:
    """Return a tensor as one reads it who ignores its strides, or its storage offset."""
    return torch.as_strided(t, t.shape, t.stride() if offset == 0 else strides, offset)


def read(x: Any, n: int) -> None:
    ctypes.string_at(x.data_ptr(), n)


def times(x: Any, y: Any) -> Any:
    """Return a new contiguous product, as all operators here should."""
    torch._check(x.shape == y.shape)
    return (x * y).contiguous()


def part(x: Any, y: Any) -> Any:
    out = torch.empty(x.shape, dtype=x.dtype)
    out[:, :-1] = (x * y)[:, :-1]
    return out


def at_0(info: Any, in_dims: Any, *both: Any) -> Any:
    shape = (info.batch_size, *X.shape)
    mapped = zip(both, in_dims, strict=True)
    return times(*(t.expand(shape) if d is None else t.reshape(shape) for t, d in mapped)), 0


def promised(x: Any, y: Any) -> Any:
    return x.new_empty(x.shape)


def gradients(g: Any, x: Any, y: Any) -> Any:
    return g * y, g * x


BLOCK = 32
LIES: dict[str, tuple[str | None, str, Any]] = {  # the check that finds it, and what it is about
    "gradient by a factor": ("derivatives", "backward", lambda g, x, y: (2 * g * y, g * x)),
    "gradient missing": ("derivatives", "backward", lambda g, x, y: (None, g * x)),
    "gradient of changed tensors": ("derivatives", "backward", lambda g, x, y: (g * y, g * x * y)),
    "gradient ignores strides": ("derivatives", "backward", lambda g, x, y: (g * blind(y), g * x)),
    "gradient of a sum": ("derivatives", "backward", lambda g, x, y: (g * y * g.stride(1), g * x)),
    "second gradient": ("derivatives", "backward", lambda g, x, y: (g * y.detach(), g * x)),
    "no gradient": ("opcheck", "backward", None),
    "zero tangent": ("derivatives", "jvp", None),
    "tangent by a factor": ("derivatives", "jvp", lambda s, t, x, y: s * y + 2 * x * t),
    "no fake kernel": ("opcheck", "fake", None),
    "fake dtype": ("opcheck", "fake", lambda x, y: x.new_empty(x.shape, dtype=torch.half)),
    "fake strides": ("opcheck", "fake", lambda x, y: x.new_empty(x.shape[::-1]).T),
    "fake strides of a view": ("opcheck", "fake", lambda x, y: torch.empty_like(x)),
    "fake of one size": ("opcheck", "fake", lambda x, y: x.new_empty(3, 5)),
    "fake of numbers": ("opcheck", "fake", lambda x, y: x.new_empty([int(n) for n in x.shape])),
    "fake reads": ("opcheck", "fake", lambda x, y: promised(x, y) if x.sum() > 0 else x),
    "writes": ("memory", "kernel", lambda x, y: times(x.mul_(2), y)),
    "writes the same": ("memory", "kernel", lambda x, y: times(x.copy_(x.clone()), y)),
    "writes nothing": (None, "write", lambda x, y: None),
    "counts no version": ("writes", "write", lambda x, y: x.detach().numpy().fill(3)),
    "returns the input": ("opcheck", "kernel", lambda x, y: x.contiguous()),
    "returns empty memory": ("runs", "kernel", part),
    "reads blocks": ("memory", "kernel", lambda x, y: read(x, x.nbytes + BLOCK) or times(x, y)),
    "reads where nothing is": ("memory", "kernel", lambda x, y: read(x, 4) or times(x, y)),
    "ignores the offset": ("opcheck", "kernel", lambda x, y: times(blind(x, 0), y)),
    "ignores the strides": ("opcheck", "kernel", lambda x, y: times(blind(x), y)),
    "remembers": ("runs", "kernel", lambda x, y: times(x, y) + next(COUNTED)),
    "draws numbers": ("runs", "kernel", lambda x, y: times(x, y) + torch.rand(1)),
    "rounds to float32": ("derivatives", "kernel", lambda x, y: times(x.float(), y).to(x.dtype)),
    "another inference": ("runs", "kernel", lambda x, y: times(x, y) + torch.is_inference(x)),
    "maps dimension 0": ("opcheck", "vmap", at_0),
    "autocasts to half": (None, "autocast", lambda x, y: times(x.half(), y.half())),
}
OPCHECK = {
    *("gradient of a sum", "no gradient", "no fake kernel", "fake dtype", "fake strides"),
    *("fake reads", "writes", "returns the input", "returns empty memory", "remembers"),
}


def made(name: str, **parts: Any) -> Any:
    """Return an operator that multiplies two tensors, or does something else in one respect."""
    write = parts.get("write")
    library.define(
        f"{name}(Tensor{'(a!)' if write else ''} x, Tensor y) -> {'()' if write else 'Tensor'}"
    )
    library.impl(name, write or parts.get("kernel", times), "CPU")
    op = getattr(torch.ops.lies, name).default
    fake = parts.get("fake", (lambda x, y: None) if write else promised)
    if fake:
        torch.library.register_fake(op, fake, lib=library)
    backward = parts.get("backward", gradients)
    jvp = parts.get("jvp", lambda s, t, x, y: s * y + x * t)

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(x: Any, y: Any) -> Any:
            with torch._C._AutoDispatchBelowAutograd():
                return op(x, y)

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return backward(g, *ctx.saved_tensors)

        @staticmethod
        def jvp(ctx: Any, s: Any, t: Any) -> Any:
            return jvp(s, t, *ctx.saved_tensors)

    if not jvp:  # torch gives it a tangent of zero
        setup = {"setup_context": lambda ctx, inputs, output: ctx.save_for_backward(*inputs)}
        torch.library.register_autograd(op, Product.backward, lib=library, **setup)
    elif backward and not write:
        library.impl(name, Product.apply, "Autograd")
    if "vmap" in parts:
        torch.library.register_vmap(op, parts["vmap"], lib=library)
    if "autocast" in parts:
        library.impl(name, parts["autocast"], "AutocastCPU")
    return op


def sample(wanted: bool) -> Any:
    return X.clone().requires_grad_(wanted), Y.clone().requires_grad_(wanted)


@pytest.mark.parametrize("lie", LIES)
def test_lie(lie: str) -> None:
    check, about, part = LIES[lie]
    op = made(lie.replace(" ", "_"), **{about: part})
    found = ffi_cookbook.check_op(op, [sample(about != "write")])
    results = torch.library.opcheck(op, sample(about != "write"), raise_exception=False)
    print(*found, results, sep="\n")
    assert (check in {one.partition(":")[0] for one in found}) if check else not found
    assert any(one != "SUCCESS" for one in results.values()) == (lie in OPCHECK)
