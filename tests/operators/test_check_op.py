"""check_op finds what strangers' operators do wrong, and nothing in operators that are right."""

from __future__ import annotations

import ctypes
import itertools
from pathlib import Path
from typing import Any

import pytest
from operators.test_gradients import TRANSFORMS

import ffi_cookbook
from support.torch_backend import ops, torch

# torch warns about itself: .grad of what opcheck makes.
pytestmark = pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor:UserWarning")
library = torch.library.Library("lies", "DEF")
X, Y = torch.rand(3, 5) + 1, torch.rand(3, 5) + 1
COUNTED = itertools.count()


def blind(t: Any, offset: int | None = None, strides: Any = (5, 1)) -> Any:
    """Return a tensor as one reads it who ignores its strides, or its storage offset."""
    return torch.as_strided(t, t.shape, t.stride() if offset == 0 else strides, offset)


def read(x: Any, n: int) -> None:
    ctypes.string_at(ctypes.byref(ctypes.c_char.from_address(x.data_ptr() + n - 1)), 1)


def times(x: Any, y: Any) -> Any:
    """Return a new contiguous product, as all operators here should."""
    torch._check(x.shape == y.shape)
    return (x * y).contiguous()


def at_0(info: Any, in_dims: Any, *both: Any) -> Any:
    shape = (info.batch_size, *X.shape)
    mapped = zip(both, in_dims, strict=True)
    return times(*(t.expand(shape) if d is None else t.reshape(shape) for t, d in mapped)), 0


def both_mapped(info: Any, in_dims: Any, x: Any, y: Any) -> Any:
    y = 1 if in_dims[1] is None else y.movedim(in_dims[1], 0)
    return x.movedim(in_dims[0] or 0, 0) * y, 0


LIES: dict[str, tuple[str, str, Any]] = {  # the check that finds it, and what it is about
    "gradient by a factor": ("derivatives", "backward", lambda g, x, y: (2 * g * y, g * x)),
    "gradient of changed tensors": ("derivatives", "backward", lambda g, x, y: (g * y, g * x * y)),
    "gradient ignores strides": ("derivatives", "backward", lambda g, x, y: (g * blind(y), g * x)),
    "gradient of a sum": ("derivatives", "backward", lambda g, x, y: (g * y * g.stride(1), g * x)),
    "second gradient": ("derivatives", "backward", lambda g, x, y: (g * y.detach(), g * x)),
    "no gradient": ("opcheck", "backward", None),
    "zero tangent": ("derivatives", "jvp", None),
    "tangent by a factor": ("derivatives", "jvp", lambda s, t, x, y: s * y + 2 * x * t),
    "no fake kernel": ("opcheck", "fake", None),
    "fake dtype": ("opcheck", "fake", lambda x, y: x.new_empty(x.shape, dtype=torch.half)),
    "fake dtype of float64": ("opcheck", "fake", lambda x, y: torch.empty(x.shape)),
    "fake strides": ("opcheck", "fake", lambda x, y: x.new_empty(x.shape[::-1]).T),
    "fake strides of a view": ("opcheck", "fake", lambda x, y: torch.empty_like(x)),
    "fake of one size": ("opcheck", "fake", lambda x, y: x.new_empty(3, 5)),
    "fake of numbers": ("opcheck", "fake", lambda x, y: x.new_empty([int(n) for n in x.shape])),
    "writes": ("memory", "kernel", lambda x, y: times(x.mul_(2), y)),
    "writes the same": ("memory", "kernel", lambda x, y: times(x.copy_(x.clone()), y)),
    "writes nothing": ("writes", "write", lambda x, y: None),
    "counts no version": ("writes", "write", lambda x, y: x.detach().numpy().fill(3)),
    "returns the input": ("opcheck", "kernel", lambda x, y: x.contiguous()),
    "returns empty memory": ("runs", "kernel", lambda x, y: x.new_empty(x.shape)),
    "reads blocks": ("memory", "kernel", lambda x, y: read(x, x.nbytes + 32) or times(x, y)),
    "reads where nothing is": ("memory", "kernel", lambda x, y: read(x, 4) or times(x, y)),
    "ignores the offset": ("opcheck", "kernel", lambda x, y: times(blind(x, 0), y)),
    "ignores the strides": ("opcheck", "kernel", lambda x, y: times(blind(x), y)),
    "remembers": ("runs", "kernel", lambda x, y: times(x, y) + next(COUNTED)),
    "draws numbers": ("runs", "kernel", lambda x, y: times(x, y) + torch.rand(1)),
    "rounds to float32": ("derivatives", "kernel", lambda x, y: times(x.float(), y).to(x.dtype)),
    "another inference": ("runs", "kernel", lambda x, y: times(x, y) + torch.is_inference(x)),
    "maps dimension 0": ("opcheck", "vmap", at_0),
    "maps both only": ("opcheck", "vmap", both_mapped),
    "one tensor twice": ("opcheck", "kernel", lambda x, y: times(x, y) * (1 + (x is y))),
    "autocasts to half": ("runs", "autocast", lambda x, y: times(x.half(), y.half())),
}
# What opcheck finds; and with luck, what depends on the memory that torch.empty returns.
OPCHECK = {"gradient of a sum", "no gradient", "no fake kernel", "fake dtype", "fake strides"}
OPCHECK |= {"writes", "returns the input", "remembers"}


def made(name: str, **parts: Any) -> Any:
    """Return an operator that multiplies two tensors, or does something else in one respect."""
    write = parts.get("write")
    library.define(
        f"{name}(Tensor{'(a!) x, Tensor y) -> ()' if write else ' x, Tensor y) -> Tensor'}"
    )
    library.impl(name, write or parts.get("kernel", times), "CPU")
    op = getattr(torch.ops.lies, name).default
    fake = parts.get("fake", lambda x, y: None if write else x.new_empty(x.shape))
    backward = parts.get("backward", lambda g, x, y: (g * y, g * x))
    jvp = parts.get("jvp", lambda s, t, x, y: s * y + x * t)

    def below(x: Any, y: Any) -> Any:
        with torch._C._AutoDispatchBelowAutograd():
            return op(x, y)

    def save(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    class Product(torch.autograd.Function):
        forward, setup_context = staticmethod(below), staticmethod(save)
        backward = staticmethod(lambda ctx, g: backward(g, *ctx.saved_tensors))
        jvp = staticmethod(lambda ctx, s, t: jvp(s, t, *ctx.saved_tensors))

    if fake:
        torch.library.register_fake(op, fake, lib=library)
    if not jvp:  # torch gives it a tangent of zero
        torch.library.register_autograd(op, Product.backward, setup_context=save, lib=library)
    elif backward and not write:
        library.impl(name, Product.apply, "Autograd")
    if "vmap" in parts:
        torch.library.register_vmap(op, parts["vmap"], lib=library)
    if "autocast" in parts:
        library.impl(name, parts["autocast"], "AutocastCPU")
    return op


@pytest.mark.parametrize("lie", LIES)
def test_lie(lie: str) -> None:
    check, about, part = LIES[lie]
    if lie.startswith("fake strides") and torch.__version__ < (2, 13):
        pytest.skip("opcheck of torch 2.10 does not compare strides")
    sample = [t.clone().requires_grad_(about != "write") for t in (X, Y)]
    op = made(lie.replace(" ", "_"), **{about: part})
    found = ffi_cookbook.check_op(op, [tuple(sample)])
    results = torch.library.opcheck(op, tuple(sample), raise_exception=False)
    assert check in {one.partition(":")[0] for one in found}
    by_opcheck = any(one != "SUCCESS" for one in results.values())
    assert by_opcheck == (lie in OPCHECK) or lie == "returns empty memory"


def test_the_page_counts_them() -> None:
    page = (Path(__file__).parents[2] / "docs" / "operator.md").read_text("utf-8")
    assert ", ".join(TRANSFORMS) in " ".join(page.split())
    assert f"finds all of {len(LIES)}" in page
    assert f"opcheck alone finds {len(OPCHECK)}" in page


def floats(*shape: int) -> Any:
    return torch.randn(shape, requires_grad=True)


aten = torch.ops.aten
ATTENDED = {"q": floats(1, 2, 5, 4), "sink": floats(2), "window": 3}
ATTENDED |= dict.fromkeys("kv", floats(1, 1, 7, 4))
RIGHT = {
    "product": lambda: (made("right"), (floats(3, 5), floats(3, 5))),
    "matmul": lambda: (ops.matmul, (floats(5, 7), floats(7, 3))),
    "threads": lambda: (ops.matmul, {"a": floats(5, 7), "b": floats(4, 7, 3), "threads": 2}),
    "out": lambda: (ops.matmul_out, (torch.ones(4, 5, 7), torch.ones(7, 3), torch.empty(4, 5, 3))),
    "attention": lambda: (ops.sliding_attention, ATTENDED),
    "bernoulli": lambda: (aten.bernoulli, (X - 1,)),
    "layer_norm": lambda: (aten.native_layer_norm, (floats(3, 5), [5], floats(5), floats(5), 0.1)),
    "nonzero": lambda: (aten.nonzero, (X > 1.5,)),
    "topk": lambda: (aten.topk, (floats(3, 7), 2)),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right(name: str) -> None:
    op, arguments = RIGHT[name]()
    assert ffi_cookbook.check_op(op, [arguments]) == []


@pytest.mark.parametrize(
    ("of_a", "of_b"), [((2,), (2,)), ((), (2,)), ((2,), ()), ((1,), (2,)), ((2,), (1,)), ((0,), ())]
)
def test_matmul_of_batches(of_a: Any, of_b: Any) -> None:
    batches = (floats(*of_a, 3, 5), floats(*of_b, 5, 4))
    assert ffi_cookbook.check_op(ops.matmul, [batches]) == []


def test_not_an_operator() -> None:
    with pytest.raises(TypeError, match="op must be an operator"):
        ffi_cookbook.check_op(torch.sin, [])
