"""Time attention in a window beside the forms that PyTorch has for it on a processor.

    python examples/attention_speed.py [TOKENS]       # needs the package torch, and a C++ compiler

One thread, float32, processor time. All forms are checked against a matrix of scores in double
precision, and take turns: a figure is the median of the ratios of nine rounds, with the least and
the greatest.
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from operator import truediv
from statistics import median
from typing import Any

import torch
import torch._functorch.config
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.nn.functional import pad, scaled_dot_product_attention
from torch.utils.checkpoint import checkpoint

from ffi_cookbook.bindings.torch.attention import sliding_attention

HEADS, KV_HEADS, SIZE, WINDOW, BLOCK, CAP, TOKENS = 8, 2, 64, 256, 64, 30.0, 2048
Form = Callable[..., torch.Tensor]
Calls = dict[str, Callable[[], Any]]  # by the name of a form


def blocks(x: torch.Tensor) -> torch.Tensor:
    """Return for each block of queries the keys that it sees: (kv heads, blocks, keys, size)."""
    padded = pad(x[0], (0, 0, WINDOW, 0))
    return padded.unfold(1, WINDOW + BLOCK, BLOCK).mT[:, : x.shape[2] // BLOCK]


def seen(n: int) -> torch.Tensor:
    """Return which keys a query of a block sees: (blocks, queries, keys)."""
    query, key = torch.arange(BLOCK)[:, None], torch.arange(WINDOW + BLOCK)
    real = torch.arange(n // BLOCK)[:, None, None] * BLOCK + key >= WINDOW
    return (key <= query + WINDOW) & (key > query) & real


def blocked(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, sink: torch.Tensor) -> torch.Tensor:
    """Return attention with cap and sink, block by block, in plain operations.

    The cap bounds the scores, so that their exponentials need no maximum.
    """
    grouped = (q * (SIZE**-0.5 / CAP)).view(KV_HEADS, HEADS // KV_HEADS, -1, BLOCK, SIZE)
    batch = grouped.transpose(1, 2)
    scores = CAP * torch.tanh(batch.flatten(2, 3) @ blocks(k).mT)
    weights = torch.exp(scores).view(*batch.shape[:4], -1) * seen(q.shape[2])[:, None]
    total = weights.sum(-1, keepdim=True) + torch.exp(sink.view(KV_HEADS, 1, -1, 1, 1))
    out = (weights.flatten(2, 3) @ blocks(v)).view(batch.shape) / total
    return out.transpose(1, 2).reshape(q.shape)


def by_sdpa(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Return attention without cap and sink: SDPA, which has no window, of a batch of blocks."""
    batch = q.view(HEADS, -1, BLOCK, SIZE).transpose(0, 1)
    k, v = (blocks(x).repeat_interleave(HEADS // KV_HEADS, 0).transpose(0, 1) for x in (k, v))
    out = scaled_dot_product_attention(batch, k, v, attn_mask=seen(q.shape[2])[:, None])
    return out.transpose(0, 1).reshape(q.shape)


def by_scores(*given: torch.Tensor) -> torch.Tensor:
    """Return attention with a matrix of scores for each head, with cap and sink if one is given."""
    q, k, v, *sink = given
    behind = torch.arange(q.shape[2])[:, None] - torch.arange(q.shape[2])
    near = (behind >= 0) & (behind < WINDOW)

    def head(i: int) -> torch.Tensor:
        key, value = (x[:, i * KV_HEADS // HEADS] for x in (k, v))
        scores = q[:, i] @ key.mT * SIZE**-0.5
        weights = near * torch.exp(CAP * torch.tanh(scores / CAP) if sink else scores)
        total = weights.sum(-1, keepdim=True) + sum(x[i].exp() for x in sink)
        return weights @ value / total

    # a checkpoint keeps the scores of one head alone
    return torch.stack([checkpoint(head, i, use_reentrant=False) for i in range(HEADS)], 1)


def check(found: torch.Tensor, exact: torch.Tensor) -> None:
    """Raise AssertionError if a result is not near that in double precision."""
    torch.testing.assert_close(found.double(), exact, rtol=0, atol=5e-6 * exact.abs().max().item())


def passes(forms: dict[str, Form], *leaves: torch.Tensor) -> tuple[Calls, Calls]:
    """Return the forward and the backward passes, after a check of their results."""
    constant = [x.detach() for x in leaves]
    doubles = [x.double().requires_grad_() for x in constant]
    exact = by_scores(*doubles)
    gradients = torch.autograd.grad(exact, doubles, doubles[0])
    forward: Calls = {name: partial(form, *constant) for name, form in forms.items()}
    backward: Calls = {}
    for name, form in forms.items():
        check(forward[name](), exact)
        if "flex" not in name:
            grad = partial(torch.autograd.grad, form(*leaves), leaves, constant[0])
            backward[name] = partial(grad, retain_graph=True)
            for pair in zip(backward[name](), gradients, strict=True):
                check(*pair)
    return forward, backward


def operations(title: str, n: int = TOKENS) -> int:
    """Return the useful operations of a pass: of two products of queries and keys, or of five."""
    pairs = sum(min(i, WINDOW) for i in range(1, n + 1))
    return 2 * (2 if "forward" in title else 5) * HEADS * SIZE * pairs


def calls(n: int = TOKENS, compiled: bool = True) -> dict[str, Calls]:
    """Return what to time for n tokens, a multiple of BLOCK, by pass and form, on one thread."""
    torch.set_num_threads(1)
    sizes = [(1, heads, n, SIZE) for heads in (HEADS, KV_HEADS, KV_HEADS)]
    *qkv, sink = (torch.randn(size, requires_grad=True) for size in (*sizes, (HEADS,)))
    capped: dict[str, Form] = {
        "ours": lambda *x: sliding_attention(*x, window=WINDOW, softcap=CAP)[0]
    }
    plain: dict[str, Form] = {"ours": lambda *x: sliding_attention(*x, window=WINDOW)[0]}
    capped["blocks"], plain["blocks by SDPA"] = blocked, by_sdpa
    if compiled:
        torch._functorch.config.donated_buffer = False  # which a second backward pass needs
        near = partial(create_block_mask, B=None, H=None, Q_LEN=n, KV_LEN=n, device="cpu")
        mask = near(lambda b, h, i, j: (i >= j) & (i - j < WINDOW))
        flex = partial(flex_attention, block_mask=mask, enable_gqa=True)
        capped["blocks, compiled"], plain["flex, compiled"] = map(torch.compile, (blocked, flex))
    every = (*passes(capped, *qkv, sink), *passes(plain, *qkv))
    names = "capped forward", "capped backward", "plain forward", "plain backward"
    return dict(zip(names, every, strict=True))


def compare(title: str, forms: Calls) -> None:
    """Print the time of each form, and its ratio to ours."""
    times: dict[str, list[float]] = {name: [] for name in forms}
    for _ in range(10):  # the first one warms up
        for name, work in forms.items():
            start = time.process_time()
            work()
            times[name].append(time.process_time() - start)
    for name, (_, *found) in times.items():
        ratios = sorted(map(truediv, found, times["ours"][1:]))
        print(
            f"{title:15} {name:17} {1000 * median(found):7.1f} ms, {median(ratios):.2f} x", end=""
        )
        print(f" [{ratios[0]:.2f}, {ratios[-1]:.2f}]")


def main() -> None:
    """Compare with cap and sink, and without both."""
    for title, forms in calls(*map(int, sys.argv[1:])).items():
        compare(title, forms)


if __name__ == "__main__":
    main()
