"""Operators that write to an argument: each write is a version, and refused where it loses one."""

from __future__ import annotations

from typing import Any

import pytest

from support.torch_backend import octets, ops, torch, torch_backend, zeros


def floats(n: int = 5) -> Any:
    return torch.ones(n, dtype=torch.float64)


CALLS: dict[str, Any] = {
    "array_out": lambda: (floats(),),
    "array_map": lambda: (floats(), floats()),
    "array_inplace": lambda: (floats(), 2.0),
    "bytes_map": lambda: (octets(b"abc"),),
    "scaled": lambda: (floats(), 2.0, floats()),
    "counter_add": lambda: (zeros(1), 1),
    "counter_next": lambda: (zeros(1) + 3,),
    "matmul_out": lambda: (torch.eye(3), torch.eye(3), torch.zeros(3, 3)),
}
MUTABLE = sorted(
    name.removeprefix("ffi_cookbook::")
    for name in torch._C._dispatch_get_all_op_names()
    if name.startswith("ffi_cookbook::")
    and getattr(ops, name.removeprefix("ffi_cookbook::")).default._schema.is_mutable
)


@pytest.mark.parametrize("name", MUTABLE)
def test_each_written_argument_has_a_new_version(name: str) -> None:
    op, arguments = getattr(ops, name).default, CALLS[name]()
    written = [argument.is_write for argument in op._schema.arguments]
    versions = [getattr(one, "_version", 0) for one in arguments]
    op(*arguments)
    for one, version, is_written in zip(arguments, versions, written, strict=False):
        assert getattr(one, "_version", 0) == version + is_written


@pytest.mark.parametrize("leaf", [True, False])
@pytest.mark.parametrize("name", MUTABLE)
def test_what_requires_a_gradient_is_refused(name: str, leaf: bool) -> None:
    op, arguments = getattr(ops, name).default, CALLS[name]()
    for i, one in enumerate(arguments):
        if not isinstance(one, torch.Tensor) or not one.is_floating_point():
            continue
        before, given = one.clone(), one.clone().requires_grad_()
        given = given if leaf else given * 1
        changed = (*arguments[:i], given, *arguments[i + 1 :])
        with pytest.raises(RuntimeError, match="support automatic differentiation"):
            op(*changed)
        assert torch.equal(given, before)
        with torch.no_grad():
            op(*changed)


@pytest.mark.parametrize(
    "fill",
    [
        lambda saved: ops.array_inplace(saved, 10.0),
        lambda saved: ops.matmul_out(torch.eye(5).double(), b=saved.clone(), out=saved),
        lambda saved: torch_backend.matmul(torch.eye(5).double(), saved.clone(), out=saved),
    ],
    ids=["array_inplace", "matmul_out", "wrapper"],
)
def test_backward_refuses_what_an_operator_overwrote(fill: Any) -> None:
    saved, x = torch.zeros(5, 5).double(), torch.ones(5, 5, requires_grad=True)
    y = x * saved
    fill(saved)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_a_compiled_write_counts_too() -> None:
    def doubled(values: Any) -> Any:
        ops.array_inplace(values, 2.0)
        return values + 1

    values = floats()
    compiled = torch.compile(doubled, backend="eager")
    assert torch.equal(compiled(values), torch.full_like(values, 3))
    assert values._version == 1
