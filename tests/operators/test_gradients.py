"""Gradients of torch's matmul, backward and through torch.func, and calls without one."""

from __future__ import annotations

from typing import Any

import pytest

from support.torch_backend import torch, torch_backend

# torch warns about itself: jit.script in forward mode.
pytestmark = pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:FutureWarning")


# ---- backwards ------------------------------------------------------------------------------


def test_gradients() -> None:
    a = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
    b = torch.randn(4, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(torch_backend.matmul, (a, b))
    assert torch.autograd.gradgradcheck(torch_backend.matmul, (a, b))
    with pytest.raises(RuntimeError, match="no gradient"):
        torch_backend.matmul(a, b, out=torch.empty(3, 2, dtype=torch.float64))


@pytest.mark.parametrize(
    ("of_a", "of_b"), [((2,), (2,)), ((), (2,)), ((2,), ()), ((1,), (2,)), ((2,), (1,)), ((1,), ())]
)
def test_gradients_of_batches(of_a: Any, of_b: Any) -> None:
    a = torch.randn(*of_a, 3, 4, dtype=torch.float64, requires_grad=True)
    b = torch.randn(*of_b, 4, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(torch_backend.matmul, (a, b))
    assert torch.autograd.gradgradcheck(torch_backend.matmul, (a, b))
    weights = torch.randn((a @ b).shape, dtype=torch.float64)
    gradients = [
        torch.autograd.grad((f(a, b) * weights).sum(), (a, b))
        for f in (torch_backend.matmul, torch.matmul)
    ]
    torch.testing.assert_close(*gradients)


def test_gradients_through_out() -> None:
    a, b = torch.randn(3, 4), torch.randn(4, 5)
    weight = torch.ones(3, 5, requires_grad=True)
    for out in (weight, weight * 2):
        with pytest.raises(RuntimeError, match="no gradient"):
            torch_backend.matmul(a, b, out=out)
    with torch.no_grad():
        assert torch_backend.matmul(a, b, out=weight) is weight
    out = torch.ones(3, 5)
    loss = (out * weight).sum()
    torch_backend.matmul(a, b, out=out)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


# ---- torch.func ----------------------------------------------------------------------------


def same(function: Any, *arguments: Any) -> None:
    """Return True if a function of a product gives the same result as with torch's own product."""
    ours, theirs = (function(matmul)(*arguments) for matmul in (torch_backend.matmul, torch.matmul))
    torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize(("of_a", "of_b"), [((), ()), ((5,), (5,)), ((), (5,)), ((5,), ())])
def test_transformed(of_a: Any, of_b: Any) -> None:
    a, b = torch.randn(*of_a, 3, 4).double(), torch.randn(*of_b, 4, 2).double()

    def loss(matmul: Any) -> Any:
        return lambda a, b: matmul(a, b).pow(3).sum()

    for of in (0, 1, (0, 1)):
        same(lambda matmul, of=of: torch.func.grad(loss(matmul), of), a, b)
        same(lambda matmul, of=of: torch.func.jacrev(matmul, of), a, b)
    same(lambda matmul: torch.func.jacrev(torch.func.jacrev(loss(matmul), 1), 0), a, b)
    same(lambda matmul: torch.func.vjp(matmul, a, b)[1], a @ b)


def test_a_gradient_for_each_sample() -> None:
    weight, samples = torch.randn(4, 2).double(), torch.randn(5, 3, 4).double()

    def gradients(matmul: Any) -> Any:
        gradient = torch.func.grad(lambda b, a: matmul(a, b).pow(2).sum())
        return torch.func.vmap(gradient, in_dims=(None, 0))

    same(gradients, weight, samples)


@pytest.mark.parametrize("transform", [torch.func.grad, torch.func.vmap])
def test_compiled_transformed(transform: Any) -> None:
    """Gradients come one at a time: torch's compiler cannot map a gradient's autograd.Function."""
    a, b = torch.randn(5, 3, 4), torch.randn(4, 2)

    def loss(matmul: Any) -> Any:
        return transform(lambda a: matmul(a, b).pow(2).sum())

    whole = torch.compile(loss(torch_backend.matmul), fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(whole(a), loss(torch.matmul)(a))


@pytest.mark.filterwarnings("error:There is a performance drop")
@pytest.mark.parametrize(
    ("a", "b", "dims"),
    [
        ((5, 3, 4), (4, 2), (0, None)),
        ((3, 5, 4), (4, 2), (1, None)),
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
    same(lambda matmul: torch.func.vmap(matmul, dims), x, y)


# ---- where there are none -------------------------------------------------------------------


def test_tangents_are_refused() -> None:
    a, forward = torch.randn(3, 3), torch.autograd.forward_ad
    for function in (lambda x: torch_backend.matmul(x, a), lambda x: torch_backend.matmul(a, x)):
        with pytest.raises(NotImplementedError, match="forward-mode"):
            torch.func.jvp(function, (a,), (a,))
    with pytest.raises(NotImplementedError, match="forward mode"):
        torch.func.hessian(lambda x: torch_backend.matmul(x, a).pow(2).sum())(a)
    with forward.dual_level(), pytest.raises(NotImplementedError, match="forward-mode"):
        torch_backend.matmul(a, forward.make_dual(a, a))
