"""The forms that PyTorch has for attention in a window on a processor, and what times them."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import torch
import torch._functorch.config
from torch import Tensor
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.nn.functional import pad, scaled_dot_product_attention

from ffi_cookbook.bindings.torch.attention import sliding_attention

HEADS, KV_HEADS, SIZE, WINDOW, BLOCK, CAP, TOKENS = 8, 2, 64, 256, 64, 30.0, 2048
OPERATIONS = 4 * HEADS * SIZE * sum(min(n, WINDOW) for n in range(1, TOKENS + 1))  # forward
Form = Callable[..., Tensor]
Calls = dict[str, Callable[[], Any]]  # by the name of a form


def blocks(x: Tensor) -> Tensor:
    """Return for each block of queries the keys that it sees: (kv heads, blocks, keys, size)."""
    padded = pad(x[0], (0, 0, WINDOW, 0))
    return padded.unfold(1, WINDOW + BLOCK, BLOCK).mT[:, : x.shape[2] // BLOCK]


def seen(n: int) -> Tensor:
    """Return which keys a query of a block sees: (blocks, queries, keys)."""
    query, key = torch.arange(BLOCK)[:, None], torch.arange(WINDOW + BLOCK)
    real = torch.arange(n // BLOCK)[:, None, None] * BLOCK + key >= WINDOW
    return (key <= query + WINDOW) & (key > query) & real


def blocked(q: Tensor, k: Tensor, v: Tensor, sink: Tensor) -> Tensor:
    """Return attention with cap and sink. No maximum is subtracted: the cap bounds the scores."""
    grouped = (q * (SIZE**-0.5 / CAP)).view(KV_HEADS, HEADS // KV_HEADS, -1, BLOCK, SIZE)
    batch = grouped.transpose(1, 2)
    scores = CAP * torch.tanh(batch.flatten(2, 3) @ blocks(k).mT)
    weights = torch.exp(scores).view(*batch.shape[:4], -1) * seen(q.shape[2])[:, None]
    total = weights.sum(-1, keepdim=True) + torch.exp(sink.view(KV_HEADS, 1, -1, 1, 1))
    out = (weights.flatten(2, 3) @ blocks(v)).view(batch.shape) / total
    return out.transpose(1, 2).reshape(q.shape)


def by_sdpa(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Return attention without cap and sink: SDPA, which has no window, of a batch of blocks."""
    batch = q.view(HEADS, -1, BLOCK, SIZE).transpose(0, 1)
    k, v = (blocks(x).repeat_interleave(HEADS // KV_HEADS, 0).transpose(0, 1) for x in (k, v))
    out = scaled_dot_product_attention(batch, k, v, attn_mask=seen(q.shape[2])[:, None])
    return out.transpose(0, 1).reshape(q.shape)


def passes(oracle: Form, forms: dict[str, Form], *leaves: Tensor) -> tuple[Calls, Calls]:
    """Return the forward and the backward passes, once their results were near an oracle's."""
    constant = [x.detach() for x in leaves]
    doubles = [x.double().requires_grad_() for x in constant]
    out = oracle(*doubles)
    exact = [out, *torch.autograd.grad(out, doubles, doubles[0])]
    forward: Calls = {name: partial(form, *constant) for name, form in forms.items()}
    backward: Calls = {}
    for name, form in forms.items():
        found = [forward[name]()]
        if "flex" not in name:
            grad = partial(torch.autograd.grad, form(*leaves), leaves, constant[0])
            backward[name] = partial(grad, retain_graph=True)
            found += backward[name]()
        for x, y in zip(found, exact, strict=False):
            bound = 5e-6 * y.abs().max().item()
            torch.testing.assert_close(x.double(), y, rtol=0, atol=bound)
    return forward, backward


@cache
def calls(n: int = TOKENS, compiled: bool = True) -> dict[str, Calls]:
    """Return what to time for n tokens, a multiple of BLOCK, by pass and form."""
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
    every = (*passes(blocked, capped, *qkv, sink), *passes(by_sdpa, plain, *qkv))
    names = "capped forward", "capped backward", "plain forward", "plain backward"
    return dict(zip(names, every, strict=True))
