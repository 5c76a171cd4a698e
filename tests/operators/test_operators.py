"""The torch binding's operators from torch's side: compiled programs, refusals."""

from __future__ import annotations

from typing import Any

import pytest

from support.torch_backend import ops, torch, torch_backend, zeros

# ---- compiled -------------------------------------------------------------------------------


# torch's advice about one release of CPython
@pytest.mark.filterwarnings("ignore:Guards may run slower on Python 3.13.0:RuntimeWarning")
@pytest.mark.parametrize("compiler", ["eager", "aot_eager"])
def test_compiled_whole(compiler: str) -> None:
    def compiled(function: Any) -> Any:
        return torch.compile(function, fullgraph=True, backend=compiler, dynamic=True)

    a, b = torch.randn(6, 5), torch.randn(5, 4)
    layer = compiled(lambda a, b: torch_backend.matmul(a, b).relu())
    torch.testing.assert_close(layer(a, b), (a @ b).relu())

    stack = torch.randn(3, 6, 5)
    torch.testing.assert_close(layer(stack, b), (stack @ b).relu())
    assert layer(a, torch.randn(4, 5, 2)).shape == (4, 6, 2)
    weight = b.clone().requires_grad_()
    gradients = [
        torch.autograd.grad(product.sum(), weight)
        for product in (layer(stack, weight), (stack @ weight).relu())
    ]
    torch.testing.assert_close(*gradients)

    def fill(a: Any, b: Any) -> Any:
        out = a.new_empty(a.shape[0], b.shape[1])
        torch_backend.matmul(a, b, out=out)
        return out + 1

    torch.testing.assert_close(compiled(fill)(a, b), a @ b + 1)


# ---- refusals -------------------------------------------------------------------------------


def freed() -> Any:
    tensor = torch.zeros(5, 7)
    tensor.untyped_storage().resize_(0)
    return tensor


SQUARE = torch.zeros(5, 5)


REFUSED = {
    "dtypes": lambda: ("matmul", torch.zeros(5, 7), torch.zeros(7, 3).double()),
    "integers": lambda: ("matmul", zeros(5, 7), zeros(7, 3)),
    "one dimension": lambda: ("matmul", torch.zeros(7), torch.zeros(7, 3)),
    "four dimensions": lambda: ("matmul", torch.zeros(1, 1, 5, 7), torch.zeros(7, 3)),
    "batches": lambda: ("matmul", torch.zeros(2, 5, 7), torch.zeros(3, 7, 3)),
    "no batch": lambda: ("matmul_out", SQUARE[None], torch.eye(5), torch.zeros(5, 5)),
    "inner dimensions": lambda: ("matmul", torch.zeros(5, 7), torch.zeros(5, 7)),
    "sparse": lambda: ("matmul", torch.eye(5).to_sparse(), torch.zeros(5, 7)),
    "meta": lambda: ("matmul", torch.zeros(5, 7), torch.zeros(7, 3, device="meta")),
    "freed": lambda: ("matmul", freed(), torch.zeros(7, 3)),
    "too large": lambda: ("matmul", torch.zeros(2**40, 0), torch.zeros(0, 2**40)),
    "overlap": lambda: ("matmul_out", SQUARE, torch.eye(5), SQUARE),
    "out's shape": lambda: ("matmul_out", SQUARE, torch.eye(5), torch.zeros(5, 4)),
    "out's strides": lambda: ("matmul_out", SQUARE, torch.eye(5), torch.zeros(5, 5).T),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    name, *arguments = REFUSED[case]()
    with pytest.raises(RuntimeError):
        getattr(ops, name)(*arguments)


@pytest.mark.parametrize("dtype", [torch.int64, torch.float16, torch.complex64])
def test_meta_tensors_are_refused_as_real_ones_are(dtype: torch.dtype) -> None:
    for device in ("cpu", "meta"):
        square = torch.ones(5, 5, dtype=dtype, device=device)
        with pytest.raises(RuntimeError):
            ops.matmul(square, square)
        with pytest.raises(RuntimeError):
            ops.matmul_out(square, square, torch.empty_like(square))
        floats = torch.ones(5, 5, device=device)
        with pytest.raises(RuntimeError):
            ops.matmul(floats, floats, threads=0)
        with pytest.raises(RuntimeError):
            ops.matmul_out(floats, floats, torch.ones(5, 4, device=device))
