"""Attention through torch: causal, in a sliding window, with sinks and a soft-cap.

Shows:  a backward pass that is an operator too; vmap by more heads; a use in transformers.
Build:  bindings/torch/attention.cpp.
Bites:  `window` counts the query's own key: flash-attention's window_size is (window - 1, 0).
        Without a kernel for Autograd the backward operator would have zero derivatives.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.library import register_fake, register_vmap

from ffi_cookbook.bindings.torch.derivatives import differentiable
from ffi_cookbook.bindings.torch.library import count_operations, ops

_forward = ops.sliding_attention.default
_backward = ops.sliding_attention_backward.default


def sliding_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    sink: Tensor | None = None,
    *,
    window: int,
    scale: float | None = None,
    softcap: float = 0.0,
    threads: int = 1,
) -> tuple[Tensor, Tensor]:
    """Return the attention of each query to the last `window` keys up to its own, and its lse.

    q is (batch, heads, queries, size <= 256), k and v are (batch, kv heads, keys, size), of any
    strides; kv heads divides heads. The last query stands at the last key. A score is scale * q @ k
    (by default 1 / sqrt(size)), or with softcap > 0, softcap * tanh(score / softcap). `sink`
    (heads,) adds exp(sink) to the denominator of each row, whose logarithm is lse. A query that
    sees no key is 0. float16 and bfloat16 are computed in float32, which lse keeps. RuntimeError
    names what is wrong. Algorithm: FlashAttention-2 (2023).
    """
    return _forward(q, k, v, sink, window=window, scale=scale, softcap=softcap, threads=threads)


class SlidingAttention(nn.Module):
    """sliding_attention with its keyword arguments, and sinks (heads,), which begin at 0."""

    def __init__(self, heads: int, *, window: int, **options: Any) -> None:
        super().__init__()
        self.sinks = nn.Parameter(torch.zeros(heads))
        self.attend = partial(sliding_attention, window=window, **options)

    def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """Return the attention, without lse."""
        return self.attend(q, k, v, self.sinks)[0]


def _save(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs, *output)
    ctx.set_materialize_grads(False)  # torch would make plain zeros, which DTensor refuses
    ctx.options = keyword_only_inputs


def _gradients(ctx: Any, of_out: Tensor | None, of_lse: Tensor | None) -> Any:
    *inputs, out, lse = ctx.saved_tensors
    of_out = torch.zeros_like(out) if of_out is None else of_out
    of_lse = torch.zeros_like(lse) if of_lse is None else of_lse
    gradients = _backward(of_out, of_lse, *inputs, out, lse, **ctx.options)
    return gradients if ctx.needs_input_grad[-1] else (*gradients[:3], None)


differentiable(_forward, _gradients, setup_context=_save)
differentiable(_backward, None)


@register_fake(_forward)
def _fake(q: Tensor, *others: Tensor | None, **_: Any) -> tuple[Tensor, Tensor]:
    devices = {x.device for x in (q, *others) if x is not None}
    torch._check(len(devices) == 1, lambda: "all tensors must be on one device")
    wide = torch.promote_types(q.dtype, torch.float32)
    return q.new_empty(q.shape), q.new_empty(q.shape[:3], dtype=wide)


@register_fake(_backward)
def _(*tensors: Any, **_: Any) -> tuple[Tensor, ...]:
    _fake(*tensors)
    none = tensors[0].new_empty(0)
    return tuple(none if x is None else x.new_empty(x.shape) for x in tensors[2:6])


def _operations(*shapes: Any, window: int, **_: Any) -> int:
    """Return the operations for each query and key that it sees: 2 products, or 5 backward."""
    products, (q, k) = (5, shapes[2:4]) if len(shapes) == 8 else (2, shapes[:2])
    pairs = sum(min(n, window) for n in range(max(k[2] - q[2], 0) + 1, k[2] + 1))
    return int(2 * products * q[0] * q[1] * pairs * q[3])


count_operations(_operations, ops.sliding_attention, ops.sliding_attention_backward)


def _mapped(op: Any, info: Any, in_dims: Any, *tensors: Tensor | None, **options: Any) -> Any:
    """Make the mapped dimension more heads, each with its own sink."""
    n, folded = info.batch_size, []
    torch._check(n > 0, lambda: "vmap must be over at least one element")
    for x, dim in zip(tensors, in_dims, strict=False):
        if x is not None:
            x = x.expand(n, *x.shape) if dim is None else x.movedim(dim, 0)
            place = min(x.dim() - 2, 1)  # behind the batch, which the sinks have not
            x = x.movedim(0, place).flatten(place, place + 1)
        folded.append(x)
    results = [(x, int(x.dim() > 1)) for x in op(*folded, **options)]
    split = (x.unflatten(place, (n, x.shape[place] // n)) for x, place in results)
    return tuple(split), tuple(place for _, place in results)


register_vmap(_forward, partial(_mapped, _forward))
register_vmap(_backward, partial(_mapped, _backward))


def register_with_dtensor() -> None:
    """Make DTensor compute parts of the batch, or of the heads, where they are."""
    from torch.distributed.tensor import Partial, Replicate, Shard
    from torch.distributed.tensor.experimental import register_sharding

    def placements(*tensors: Any, **options: Any) -> Any:
        k, whole = tensors[3 if len(tensors) == 8 else 1], Replicate()
        ways: list[Any] = [(whole, whole, whole), (Shard(0), whole, Partial())]
        if k.shape[1] % k.mesh.size() == 0:
            ways.append((Shard(1), Shard(0), Shard(0)))
        for part, of_sink, of_gradient in ways:
            results = [part] * 3 + [of_gradient] if len(tensors) == 8 else [part] * 2
            given = [x and (of_sink if x.ndim == 1 else part) for x in tensors]
            yield results, given + [None] * len(options)

    register_sharding([_forward, _backward])(placements)


def register_with_transformers(name: str = "ffi_cookbook", *, threads: int = 1) -> None:
    """Make this attention known to transformers, for model.set_attn_implementation(name).

    Padding on the right is honoured: no token sees it. A model raises ValueError for other padding,
    packed sequences, dropout, static caches, and attention that is not causal.
    """
    from transformers import AttentionInterface, AttentionMaskInterface

    AttentionInterface.register(name, partial(_layer, threads=threads))
    AttentionMaskInterface.register(name, _mask)


def _mask(*, attention_mask: Tensor | None, config: Any, **given: Any) -> None:
    """Refuse a mask that says more than causality and the window, which the layer knows."""
    window = getattr(config, "sliding_window", None)
    if not given["allow_is_causal_skip"] or given.get("local_size") not in (None, window):
        raise ValueError("the mask must be causal, and neither chunked nor of packed sequences")
    if given["q_offset"] + given["q_length"] != given["kv_offset"] + given["kv_length"]:
        raise ValueError("the last query must stand at the last key, as in the dynamic cache")
    if attention_mask is not None and (attention_mask[:, 1:] > attention_mask[:, :-1]).any():
        raise ValueError("attention_mask must have padding on the right alone")


def _layer(module: Any, q: Tensor, k: Tensor, v: Tensor, mask: Any, **given: Any) -> Any:
    """Return the attention (batch, queries, heads, size) of a layer."""
    causal = False not in (given.get("is_causal"), getattr(module, "is_causal", True))
    biased = mask is not None or given.get("position_bias") is not None
    if not causal or biased or given.get("dropout"):
        raise ValueError("attention must be causal, without dropout, bias or 4-dimensional mask")
    options = {"scale": given.get("scaling"), "softcap": given.get("softcap") or 0.0}
    options |= {"window": given.get("sliding_window") or 2**63 - 1, "threads": given["threads"]}
    out, _ = sliding_attention(q, k, v, given.get("s_aux"), **options)
    return out.transpose(1, 2).contiguous(), None
