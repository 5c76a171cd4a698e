"""Sliding attention by the whole matrix of scores, and random calls that are compared with it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
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


def differentiated(function: Any, given: Any, weights: Any, **options: Any) -> Any:
    """Return the results and the gradients of the tensors."""
    leaves = [x.detach().requires_grad_() for x in given]
    out, lse = function(*leaves, **options)
    seen = lse.isfinite()  # a row without keys has the lse -inf
    total = (out * weights[0].to(out)).sum() + (lse * weights[1].to(lse))[seen].sum()
    return [out.detach(), lse.detach(), *torch.autograd.grad(total, leaves)]


def strided(choose: random.Random, *shape: int) -> Any:
    """Return random numbers whose dimensions lie in any order; some are expanded or stepped."""
    order = choose.sample(range(4), 4)
    x = torch.randn([2 * shape[i] for i in order]).permute([order.index(i) for i in range(4)])
    x = x[tuple(slice(None, 2 * n, 2) for n in shape)]
    return x[:, :1].expand(shape) if choose.random() < 0.2 else x


def compare(
    calls: int, bound: float, dtype: Any = torch.float32, place: Callable[[Any], Any] | None = None
) -> None:
    """Compare results and gradients, relative to the largest result, or gradient, or 1."""
    choose = random.Random(calls)
    torch.manual_seed(calls)
    for _ in range(calls):
        batch, kv = choose.choice((1, 2)), choose.choice((1, 2))
        heads, size = kv * choose.choice((1, 2, 4)), choose.choice((1, 3, 16, 33, 64, 80, 128, 256))
        queries, keys = choose.choices((0, 1, 2, 5, 17, 63, 64, 65, 130, 257), k=2)
        keys = choose.choice((queries, keys))
        options = {
            "window": choose.choice((1, 7, 64, 100, 2**63 - 1)),
            "softcap": choose.choice((0.0, 5.0, 50.0)),
            "scale": choose.choice((None, 0.1)),
        }
        given = [strided(choose, batch, heads, queries, size)]
        given += [strided(choose, batch, kv, keys, size) for _ in "kv"]
        given += choose.choice(([], [torch.randn(heads)]))
        given = [
            x.to(dtype) if place is None else torch.from_numpy(place(x.numpy())) for x in given
        ]
        weights = torch.randn(batch, heads, queries, size), torch.randn(batch, heads, queries)
        copies = [x.double() for x in given]
        found = differentiated(sliding_attention, given, weights, threads=2, **options)
        right = differentiated(reference, copies, weights, **options)
        for some in (slice(1), slice(1, 2), slice(2, None)):
            y = [x.nan_to_num().flatten() for x in right[some]]
            largest = torch.cat([torch.ones(1), *y]).abs().max()
            for x, y in zip(found[some], right[some], strict=True):
                torch.testing.assert_close(x.double(), y, rtol=0, atol=float(bound * largest))
        assert all(torch.equal(x.double(), y) for x, y in zip(given, copies, strict=True))
