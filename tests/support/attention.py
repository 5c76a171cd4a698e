"""Sliding attention by the whole matrix of scores, and random calls that are compared with it."""

from __future__ import annotations

import math
import random
from typing import Any

import torch

from ffi_cookbook.bindings.torch.attention import sliding_attention


def reference(
    q: Any, k: Any, v: Any, sink: Any = None, *, window: int, scale: Any = None, softcap: float = 0
) -> Any:
    """Return what sliding_attention returns."""
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], 1) for x in (k, v))
    scores = q @ k.mT * (q.shape[3] ** -0.5 if scale is None else scale)
    if softcap:
        scores = softcap * torch.tanh(scores / softcap)
    positions = torch.arange(k.shape[2] - q.shape[2], k.shape[2])
    behind = positions[:, None] - torch.arange(k.shape[2])
    scores = scores.masked_fill((behind < 0) | (behind >= window), -math.inf)
    if sink is not None:
        column = sink.view(1, -1, 1, 1).expand(*scores.shape[:3], 1)
        scores = torch.cat((scores, column), -1)
    lse = scores.logsumexp(-1)
    weights = torch.exp(scores - lse.masked_fill(lse == -math.inf, 0)[..., None])
    return weights[..., : k.shape[2]] @ v, lse


def compare(calls: int, bound: float, dtype: Any = torch.float32, place: Any = None) -> None:
    """Compare random calls: differences are relative to the largest result, or gradient, or 1."""
    choose = random.Random(calls)
    one_of = choose.choice
    torch.manual_seed(calls)
    for _ in range(calls):
        batch, kv, size = one_of((1, 2)), one_of((1, 2)), one_of((1, 3, 16, 33, 64, 80, 128, 256))
        heads, lengths = kv * one_of((1, 2, 4)), (0, 1, 2, 5, 17, 63, 64, 65, 130, 257)
        queries = one_of(lengths)
        keys = one_of((queries, one_of(lengths)))
        options = {"window": one_of((1, 7, 64, 100, 2**63 - 1)), "scale": one_of((None, 0.1))}
        options["softcap"] = one_of((0.0, 5.0, 50.0))
        given = [strided(choose, batch, heads, queries, size)]
        given += [strided(choose, batch, kv, keys, size) for _ in range(2)]
        given += one_of(([], [torch.randn(heads)]))
        given = [torch.from_numpy(place(x.numpy())) if place else x.to(dtype) for x in given]
        weights = torch.randn(batch, heads, queries, size), torch.randn(batch, heads, queries)
        copies = [x.double() for x in given]
        right = differentiated(reference, copies, weights, **options)
        one, two, three = (
            differentiated(sliding_attention, given, weights, threads=threads, **options)
            for threads in (1, 2, 3)
        )
        assert all(
            torch.equal(x, y) for other in (two, three) for x, y in zip(one, other, strict=True)
        )
        for some in (slice(1), slice(1, 2), slice(2, None)):
            finite = torch.cat([torch.ones(1), *(x.nan_to_num().flatten() for x in right[some])])
            atol = bound * finite.abs().max().item()
            wide = [x.double() for x in one[some]]
            torch.testing.assert_close(wide, right[some], rtol=0, atol=atol)
        assert all(torch.equal(x.double(), y) for x, y in zip(given, copies, strict=True))


def strided(choose: random.Random, *shape: int) -> Any:
    """Return random numbers whose dimensions lie in any order; some are expanded."""
    order = choose.sample(range(4), 4)
    x = torch.randn([2 * shape[i] for i in order]).permute([order.index(i) for i in range(4)])
    x = x[tuple(slice(None, 2 * n, 2) for n in shape)]
    return x[:, :1].expand(shape) if choose.random() < 0.2 else x


def differentiated(function: Any, given: Any, weights: Any, **options: Any) -> Any:
    """Return the results and the gradients of the tensors."""
    leaves = [x.detach().requires_grad_() for x in given]
    out, lse = function(*leaves, **options)
    seen = lse.isfinite()  # a row without keys has the lse -inf
    total = (out * weights[0].to(out)).sum() + (lse * weights[1].to(lse))[seen].sum()
    return [out.detach(), lse.detach(), *torch.autograd.grad(total, leaves)]
