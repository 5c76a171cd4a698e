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
    products = layer(stack, weight), (stack @ weight).relu()
    torch.testing.assert_close(*(torch.autograd.grad(each.sum(), weight) for each in products))

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
    "half": lambda: ("matmul", SQUARE.half(), SQUARE.half()),
    "complex out": lambda: ("matmul_out", *[SQUARE + 1j] * 2, SQUARE * 1j),
    "threads": lambda: ("matmul", SQUARE, torch.eye(5)),
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


NOT_OF_META = {"sparse", "meta", "freed", "too large", "overlap"}


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, device: str) -> None:
    name, *arguments = REFUSED[case]()
    if case not in NOT_OF_META:
        arguments = [x.to(device) if torch.is_tensor(x) else x for x in arguments]
    options = {"threads": 0} if case == "threads" else {}
    with pytest.raises((RuntimeError, MemoryError)):  # the latter by torch 2.10
        getattr(ops, name)(*arguments, **options)
