"""Time attention in a window beside the forms that PyTorch has for it on a processor.

    python examples/attention_speed.py [TOKENS]       # needs the package torch, and a C++ compiler

One thread, float32, processor time. All forms are checked against the first, and take turns: a
figure is the median of the ratios of nine rounds, with the least and the greatest.
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from operator import truediv
from statistics import median

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

from ffi_cookbook.bindings.torch.attention import sliding_attention

HEADS, KV_HEADS, SIZE, WINDOW, BLOCK, CAP = 8, 2, 64, 256, 128, 30.0


def blocks(x: torch.Tensor) -> torch.Tensor:
    """Return for each block of queries the keys that it sees: (1, kv heads, blocks, keys, size)."""
    padded = torch.nn.functional.pad(x, (0, 0, WINDOW, 0))
    return padded.unfold(2, WINDOW + BLOCK, BLOCK).mT[:, :, : x.shape[2] // BLOCK]


def seen(n: int) -> torch.Tensor:
    """Return which keys a query of a block sees: (blocks, queries, keys)."""
    query, key = torch.arange(BLOCK)[:, None], torch.arange(WINDOW + BLOCK)
    real = torch.arange(n // BLOCK)[:, None, None] * BLOCK + key >= WINDOW
    return (key <= query + WINDOW) & (key > query) & real


def blocked(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, sink: torch.Tensor) -> torch.Tensor:
    """Return attention with cap and sink, block by block, in plain operations."""
    grouped = q.view(1, KV_HEADS, HEADS // KV_HEADS, -1, BLOCK, SIZE)
    scores = CAP * torch.tanh(grouped @ blocks(k)[:, :, None].mT * SIZE**-0.5 / CAP)
    scores = scores.masked_fill(~seen(q.shape[2]), -torch.inf)
    sink = sink.view(1, KV_HEADS, -1, 1, 1, 1)
    most = torch.maximum(scores.amax(-1, keepdim=True), sink).detach()
    weights = torch.exp(scores - most)
    total = weights.sum(-1, keepdim=True) + torch.exp(sink - most)
    return (weights @ blocks(v)[:, :, None] / total).reshape(q.shape)


def by_sdpa(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Return attention without cap and sink: SDPA, which has no window, of a batch of blocks."""
    batch = q.view(HEADS, -1, BLOCK, SIZE).transpose(0, 1)
    k, v = (blocks(x)[0].repeat_interleave(HEADS // KV_HEADS, 0).transpose(0, 1) for x in (k, v))
    mask = seen(q.shape[2])[:, None]
    out = torch.nn.functional.scaled_dot_product_attention(batch, k, v, attn_mask=mask)
    return out.transpose(0, 1).reshape(q.shape)


def compare(title: str, forms: dict[str, Callable[[], object]]) -> None:
    """Print the time of each form, and its ratio to ours."""
    times: dict[str, list[float]] = {name: [] for name in forms}
    for _ in range(10):  # the first one warms up
        for name, work in forms.items():
            start = time.process_time()
            work()
            times[name].append(time.process_time() - start)
    for name, (_, *found) in times.items():
        ratios = sorted(map(truediv, found, times["ours"][1:]))
        print(f"{title} {name:17} {1000 * median(found):7.1f} ms, {median(ratios):.2f} x", end="")
        print(f" [{ratios[0]:.2f}, {ratios[-1]:.2f}]")


def main() -> None:
    """Compare with cap and sink, and without both."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 2048  # a multiple of BLOCK
    torch.set_num_threads(1)
    shapes = [(1, heads, n, SIZE) for heads in (HEADS, KV_HEADS, KV_HEADS)]
    *qkv, sink = (torch.randn(*shape, requires_grad=True) for shape in [*shapes, (HEADS,)])
    near = partial(create_block_mask, B=None, H=None, Q_LEN=n, KV_LEN=n, device="cpu")
    mask = near(lambda b, h, i, j: (i >= j) & (i - j < WINDOW))
    flex = torch.compile(partial(flex_attention, block_mask=mask, enable_gqa=True))
    capped = {"ours": lambda *given: sliding_attention(*given, window=WINDOW, softcap=CAP)[0]}
    capped["blocks, compiled"] = torch.compile(blocked)
    plain = {"ours": lambda *given: sliding_attention(*given, window=WINDOW)[0]}
    plain["blocks by SDPA"] = by_sdpa
    for title, leaves, forms in (("capped", [*qkv, sink], capped), ("plain", qkv, plain)):
        outs = {name: form(*leaves) for name, form in forms.items()}
        gradients = partial(torch.autograd.grad, inputs=leaves, retain_graph=True)
        backward = {name: partial(gradients, out.sum()) for name, out in outs.items()}
        more = {"flex, compiled": flex} if forms is plain else {}  # without gradients
        constant = [x.detach() for x in leaves]
        forward = {name: partial(form, *constant) for name, form in (forms | more).items()}
        for work in forward.values():
            torch.testing.assert_close(work(), outs["ours"], rtol=1e-4, atol=1e-5)
        compare(f"{title}, forward ", forward)
        compare(f"{title}, backward", backward)


if __name__ == "__main__":
    main()
