"""Sliding attention: values, derivatives in torch's transforms, compiled programs, refusals."""

from __future__ import annotations

import importlib
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from support.processes import run_python
from support.torch_backend import ops, torch, torch_backend

FlopCounterMode = pytest.importorskip("torch.utils.flop_counter").FlopCounterMode
checkpoint = partial(torch.utils.checkpoint.checkpoint, use_reentrant=False)
selective = torch.utils.checkpoint.create_selective_checkpoint_contexts
kept = partial(selective, [ops.sliding_attention.default])
sliding_attention, func = torch_backend.attention.sliding_attention, torch.func
torch_warns = [f"ignore::{kind}Warning" for kind in ("User", "Future", "Deprecation")]
pytestmark = pytest.mark.filterwarnings(*torch_warns)

ROOT = Path(__file__).parents[2]
page = (ROOT / "docs" / "attention.md").read_text("utf-8")
exec(page.split("```python\n")[1].split("```")[0], defined := {})
reference: Any = defined["attention_by_scores"]


def compare(calls: int, bound: float, dtype: Any = torch.float32, place: Any = None) -> None:
    """Compare random calls: differences are relative to the largest result, or gradient, or 1."""
    one_of = random.Random(calls).choice
    torch.manual_seed(calls)
    for _ in range(calls):
        batch, kv, size = one_of((1, 2)), one_of((1, 2)), one_of((1, 3, 16, 33, 64, 80, 128, 256))
        heads, queries = kv * one_of((1, 2, 4)), one_of((0, 1, 2, 5, 17, 63, 64, 65, 130, 257))
        keys = one_of((queries, queries, 0, 1, 64, 100, 300))
        options = {"window": one_of((1, 7, 64, 100, 2**63 - 1)), "scale": one_of((None, 0.1))}
        options["softcap"] = one_of((0.0, 5.0, 50.0))
        shapes = [(batch, heads, queries, size), *[(batch, kv, keys, size)] * 2]
        given = [one_of(LAYOUTS)(*shape) for shape in shapes] + one_of(([], [torch.randn(heads)]))
        given = [torch.from_numpy(place(x.numpy())) if place else x.to(dtype) for x in given]
        copies = [x.double() for x in given]
        right = differentiated(reference, copies, **options)
        with torch.autocast("cpu", enabled=dtype == torch.bfloat16):
            attend = partial(differentiated, sliding_attention, given, **options)
            one, two, three = (attend(threads=n) for n in (1, 2, 3))
        assert all(map(torch.equal, one + one, two + three))
        for some in (slice(1), slice(1, 2), slice(2, None)):
            finite = torch.cat([torch.ones(1), *(x.nan_to_num().flatten() for x in right[some])])
            tolerance = {"rtol": 0, "atol": bound * finite.abs().max().item()}
            torch.testing.assert_close([x.double() for x in one[some]], right[some], **tolerance)
        assert all(torch.equal(x.double(), y) for x, y in zip(given, copies, strict=True))


LAYOUTS = (
    lambda b, h, n, d: torch.randn(b, n, h, 2 * d).transpose(1, 2)[..., ::2],
    lambda b, h, n, d: torch.randn(d, n, 1, b).permute(3, 2, 1, 0).expand(b, h, n, d),
)


def differentiated(function: Any, given: Any, **options: Any) -> Any:
    leaves = [x.detach().requires_grad_() for x in given]
    results = function(*leaves, **options)
    seen = (x[x.isfinite()].double() for x in results)  # without keys, lse is -inf
    chance = torch.Generator().manual_seed(3)
    total = sum((x * torch.randn(len(x), generator=chance).bfloat16()).sum() for x in seen)
    return [*(x.detach() for x in results), *torch.autograd.grad(total, leaves)]


@pytest.mark.parametrize("isa", ["portable", "avx2", "avx512"])
def test_random_calls(isa: str) -> None:
    program = """
import torch
from operators.test_attention import compare
from safety.guard_pages import guarded
compare(300, 5e-6)
compare(80, 2 * torch.finfo(torch.bfloat16).eps, torch.bfloat16)
compare(20, 2 * torch.finfo(torch.float16).eps, torch.float16)
compare(60, 5e-6, place=lambda array: guarded(array, at_end=True))
"""
    run_python("-c", program, env={"COOKBOOK_ISA": isa})


def inputs(dtype: Any = torch.float64, n: int = 9) -> Any:
    shapes = ((2, 4, n, 5), (2, 2, n, 5), (2, 2, n, 5), (4,))
    return tuple(torch.randn(shape, dtype=dtype) for shape in shapes)


def test_extreme_values() -> None:
    q, k, v, _ = inputs(torch.float32)
    given = (k, v, torch.tensor([1e4, -1e4, -torch.inf, torch.inf]))
    out, lse = sliding_attention(q, *given, window=4, scale=1e4)
    right = reference(*(x.double() for x in (q, *given)), window=4, scale=1e4)
    for x, y in zip((out, lse), right, strict=True):
        torch.testing.assert_close(x[:, :3].double(), y[:, :3], atol=1e-2, rtol=0)
    assert out[:, 3].eq(0).all() & lse[:, 3].eq(torch.inf).all()
    q[0, 1, 5, 2] = torch.nan
    again, sums = sliding_attention(q, *given, window=4, scale=1e4)
    assert sums.isnan().nonzero().tolist() == [[0, 1, 5]]
    assert torch.equal(again[~sums.isnan()], out[~sums.isnan()])


X, OPTIONS = inputs(), {"window": 3, "softcap": 4.0}
THREE, ALL = tuple(torch.stack((x, x + 1, x * 2)) for x in X), (0, 1, 2, 3)
FUNCTIONS = [lambda *x, f=f: f(*x, **OPTIONS) for f in (sliding_attention, reference)]


def loss_of(f: Any) -> Any:
    return lambda *x: sum(y.pow(2).sum() for y in f(*x))


def compiled(f: Any, backend: str = "eager") -> Any:
    return torch.compile(f, fullgraph=True, dynamic=True, backend=backend)


def gradients(loss: Any) -> Any:
    leaves = [x.clone().requires_grad_() for x in X]
    return torch.autograd.grad(loss(*leaves), leaves)


TRANSFORMS = {
    "vjp": lambda f: func.vjp(f, *X)[1](FUNCTIONS[1](*X)),
    "jacrev": lambda f: func.jacrev(f, ALL)(*X),
    "map": lambda f: func.vmap(f, (0, None, 0, 1))(THREE[0], X[1], THREE[2], THREE[3].T),
    "grad, mapped": lambda f: func.vmap(func.grad(loss_of(f), ALL))(*THREE),
    "grad, mapped, compiled": lambda f: compiled(func.vmap(func.grad(loss_of(f), ALL)))(*THREE),
    "grad of a map": lambda f: func.grad(lambda *x: func.vmap(loss_of(f))(*x).sum(), ALL)(*THREE),
    "functionalize": lambda f: func.functionalize(func.grad(loss_of(f), ALL))(*X),
    "checkpoint": lambda f: gradients(partial(checkpoint, loss_of(f))),
    "selective checkpoint": lambda f: gradients(partial(checkpoint, loss_of(f), context_fn=kept)),
    "inductor": lambda f: gradients(compiled(loss_of(f), "inductor")),
}


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_transformed(transform: str) -> None:
    torch.testing.assert_close(*(TRANSFORMS[transform](f) for f in FUNCTIONS))


def test_what_has_no_derivative_says_so() -> None:
    loss = loss_of(FUNCTIONS[0])
    once, twice = func.jacfwd(loss), func.grad(lambda *x: func.grad(loss)(*x).sum())
    for refused in (once, compiled(once), twice, compiled(twice), func.hessian(loss)):
        with pytest.raises(Exception, match=r"has no derivative|NotImplementedError"):
            refused(*X)


@pytest.mark.parametrize("n", [3, 4])
def test_what_torch_checks(n: int) -> None:
    leaves = [x.clone().requires_grad_() for x in X[:n]]
    assert torch.autograd.gradcheck(FUNCTIONS[0], leaves, check_batched_grad=True)
    with FlopCounterMode(display=False) as counter:
        FUNCTIONS[0](*leaves)[0].sum().backward()
    assert counter.get_total_flops() == 2 * (2 + 5) * 2 * 4 * 5 * (1 + 2 + 7 * 3)
    results = [x.detach() for x in FUNCTIONS[0](*leaves)]
    backward = (*results, *X[:n], *[None] * (4 - n), *results)
    for name, given in (("sliding_attention", leaves), ("sliding_attention_backward", backward)):
        found = torch.library.opcheck(getattr(ops, name).default, tuple(given), OPTIONS)
        assert set(found.values()) == {"SUCCESS"}


def test_one_graph_for_all_sizes() -> None:
    module = torch_backend.attention.SlidingAttention(4, window=3).double()
    sizes, program = [{2: torch.export.Dim("n")}] * 3, compiled(FUNCTIONS[0])
    exported = torch.export.export(module, X[:3], dynamic_shapes=sizes).module()
    for n, stance in ((7, "default"), (9, "fail_on_recompile"), (40, "fail_on_recompile")):
        given = inputs(n=n)
        with torch.compiler.set_stance(stance):
            torch.testing.assert_close(program(*given), FUNCTIONS[1](*given))
        torch.testing.assert_close(exported(*given[:3]), module(*given[:3]))


ELSEWHERE = """
import sys, torch
torch.ops.load_library(sys.argv[1])
given, expected = torch.load(sys.argv[2])
torch.testing.assert_close(torch._inductor.aoti_load_package(sys.argv[3])(*given), expected)
"""


@pytest.mark.full
def test_compiled_ahead_for_a_process_without_this_package(tmp_path: Path) -> None:
    from ffi_cookbook_torch import LIBRARY

    module = torch_backend.attention.SlidingAttention(4, window=3).double().requires_grad_(False)
    sizes, given = [{2: torch.export.Dim("n")}] * 3, inputs(n=9)[:3]
    program, package = torch.export.export(module, X[:3], dynamic_shapes=sizes), tmp_path / "a.pt2"
    torch._inductor.aoti_compile_and_package(program, package_path=str(package))
    torch.save((given, module(*given)), tmp_path / "given")
    run_python("-c", ELSEWHERE, LIBRARY, tmp_path / "given", package)


def test_two_ranks() -> None:
    ranks = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", 2)
    said = run_python(*ranks, ROOT / "examples/attention_ranks.py")
    assert said.count("batch: the result is (Shard(dim=0),)") == 2
    assert said.count("heads: the result is (Shard(dim=1),)") == 2


def test_the_benchmark_refuses_another_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    example = importlib.import_module("attention_forms")
    assert len(example.calls(128, compiled=False)) == 4
    monkeypatch.setattr(example, "sliding_attention", partial(sliding_attention, scale=0.1))
    with pytest.raises(AssertionError, match="not close"):
        example.calls(192, compiled=False)


def test_refused() -> None:
    q, k, v, _ = inputs(torch.float32)
    unaligned = torch.frombuffer(bytearray(1441), dtype=torch.float32, offset=1).view(q.shape)
    for message, tensors, window in (
        (r"v must have shape \(2, 2, 9, 5\)", (q, k, v[:, :, 1:]), 3),
        ("window must be at least 1, not 0", (q, k, v), 0),
        ("q must be aligned", (unaligned, k, v), 3),
        ("on one device", (q, k.to("meta"), v), 3),
    ):
        with pytest.raises(RuntimeError, match=message):
            sliding_attention(*tensors, window=window)
    with pytest.raises(RuntimeError, match="on one device"):
        ops.sliding_attention_backward(q.to("meta"), q, q, k, v, None, q, q, window=3)
