"""Derivatives of matmul in every transform of torch, beside those of torch's own."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from support.torch_backend import torch, torch_backend

FlopCounterMode = pytest.importorskip("torch.utils.flop_counter").FlopCounterMode

# torch warns about itself: jit.script in forward mode.
pytestmark = pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:FutureWarning")


# ---- every transform -----------------------------------------------------------------------

A, B = torch.randn(3, 4, dtype=torch.float64), torch.randn(4, 2, dtype=torch.float64)
TWO = torch.stack([A, A + 1])
func, compiled = torch.func, partial(torch.compile, fullgraph=True, backend="aot_eager")
MATMULS = {"wrapper": torch_backend.matmul, "operator": torch.ops.ffi_cookbook.matmul}


def cube(matmul: Any) -> Any:
    """Return a function of a whose second derivatives depend on a."""
    return lambda a: matmul(a, B).pow(3).sum()


def dual(matmul: Any) -> Any:
    with torch.autograd.forward_ad.dual_level():
        product = matmul(torch.autograd.forward_ad.make_dual(A, A + 1), B)
        return torch.autograd.forward_ad.unpack_dual(product).tangent


def batched_gradients(matmul: Any) -> Any:
    a = A.clone().requires_grad_()
    weights = torch.eye(6, dtype=torch.float64).view(6, 3, 2)
    return torch.autograd.grad(matmul(a, B), a, weights, is_grads_batched=True)


def checkpointed(matmul: Any) -> Any:
    a = A.clone().requires_grad_()
    torch.utils.checkpoint.checkpoint(cube(matmul), a, use_reentrant=False).backward()
    return a.grad


TRANSFORMS = {
    "grad": lambda matmul: func.grad(cube(matmul))(A),
    "vjp": lambda matmul: func.vjp(matmul, A, B)[1](A @ B),
    "jvp": lambda matmul: func.jvp(matmul, (A, B), (A + 1, B - 1)),
    "jvp of one": lambda matmul: func.jvp(lambda b: matmul(A, b), (B,), (B - 1,)),
    "jacrev": lambda matmul: func.jacrev(matmul, (0, 1))(A, B),
    "jacfwd": lambda matmul: func.jacfwd(matmul, (0, 1))(A, B),
    "hessian": lambda matmul: func.hessian(cube(matmul))(A),
    "jacfwd twice": lambda matmul: func.jacfwd(func.jacfwd(cube(matmul)))(A),
    "jacrev twice": lambda matmul: func.jacrev(func.jacrev(cube(matmul)))(A),
    "grad, mapped": lambda matmul: func.vmap(func.grad(cube(matmul)))(TWO),
    "jvp, mapped": lambda matmul: func.vmap(lambda t: func.jvp(cube(matmul), (A,), (t,)))(TWO),
    "hessian, mapped": lambda matmul: func.vmap(func.hessian(cube(matmul)))(TWO),
    "grad of a map": lambda matmul: func.grad(lambda a: func.vmap(cube(matmul))(a).sum())(TWO),
    "functionalize": lambda matmul: func.functionalize(lambda a: matmul(a, B))(A),
    "dual numbers": dual,
    "batched gradients": batched_gradients,
    "checkpoint": checkpointed,
    "jvp, compiled": lambda matmul: compiled(lambda t: func.jvp(cube(matmul), (A,), (t,)))(A),
    "hessian, compiled": lambda matmul: compiled(func.hessian(cube(matmul)))(A),
    "grad, mapped, compiled": lambda matmul: compiled(func.vmap(func.grad(cube(matmul))))(TWO),
}


@pytest.mark.parametrize("matmul", MATMULS)
@pytest.mark.parametrize("transform", TRANSFORMS)
def test_transformed(transform: str, matmul: str) -> None:
    results = [TRANSFORMS[transform](f) for f in (MATMULS[matmul], torch.matmul)]
    torch.testing.assert_close(*results)


@pytest.mark.filterwarnings("error:There is a performance drop")
@pytest.mark.parametrize(
    ("a", "b", "dims"),
    [
        ((5, 3, 4), (4, 2), (0, None)),
        ((3, 4), (4, 2, 5), (None, 2)),
        ((5, 3, 4), (4, 5, 2), (0, 1)),
        ((6, 3, 4), (6, 4, 2, 5), (None, 3)),
        ((3, 5, 4), (6, 4, 2), (1, None)),
        ((5, 6, 3, 4), (5, 6, 4, 2), (0, 0)),
        ((1, 6, 3, 4), (4, 2), (0, None)),
    ],
)
def test_mapped(a: Any, b: Any, dims: Any) -> None:
    x, y = torch.randn(a), torch.randn(b)
    results = [func.vmap(f, dims)(x, y) for f in (torch_backend.matmul, torch.matmul)]
    torch.testing.assert_close(*results)


# ---- what else torch asks ------------------------------------------------------------------


@pytest.mark.parametrize("matmul", MATMULS)
def test_the_counted_operations_are_those_of_torch(matmul: str) -> None:
    counts = []
    for product in (MATMULS[matmul], torch.matmul):
        with FlopCounterMode(display=False) as counter:
            product(A.clone().requires_grad_(), torch.stack([B, B])).sum().backward()
        counts.append(counter.get_total_flops())
    assert counts[0] == counts[1] > 0


@pytest.mark.parametrize("options", [{}, {"threads": 2}])
@pytest.mark.parametrize("matmul", MATMULS)
def test_autocast_computes_in_float32(matmul: str, options: dict[str, int]) -> None:
    a = A.bfloat16().requires_grad_()
    with pytest.raises((TypeError, RuntimeError)):
        MATMULS[matmul](a, B.float())
    with torch.autocast("cpu"):
        product = MATMULS[matmul](a, B.float(), **options)
        product.sum().backward()
    torch.testing.assert_close(product, a.float() @ B.float())
    assert a.grad.dtype == torch.bfloat16
