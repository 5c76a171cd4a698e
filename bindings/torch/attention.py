"""Attention through torch: causal, in a sliding window, with sinks and a soft-cap.

Shows:  an operator of two results, whose backward pass is an operator of its own; a rule for vmap
        that makes more heads; an attention that the models of transformers use.
Build:  bindings/torch/attention.cpp.
Bites:  `window` counts the query's own key: flash-attention's window_size is (window - 1, 0).
        Without its kernel for Autograd the backward operator would have zero derivatives. A mask
        of transformers that is None says "causal": what it cannot say must be refused.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.library import register_fake, register_vmap

from ffi_cookbook.bindings._glue.arrays import check_threads
from ffi_cookbook.bindings.torch.derivatives import differentiable
from ffi_cookbook.bindings.torch.library import autocast_to_float32, count_operations, ops

_forward = ops.sliding_attention.default
_backward = ops.sliding_attention_backward.default
EVERY_KEY = 2**63 - 1
"""The window of plain causal attention."""


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

    q is (batch, heads, queries, size), k and v are (batch, kv heads, keys, size), of any strides;
    kv heads divides heads, and size is at most 256. The last query stands at the last key. A score
    is scale * q @ k, by default with 1 / sqrt(size); softcap > 0 makes it softcap * tanh(score /
    softcap). `sink` (heads,) adds exp(sink) to the denominator of each row of its head.

    The attention has q's shape and dtype, and a row without keys is 0. lse (batch, heads, queries)
    is the logarithm of the denominator. float16 and bfloat16 are computed in float32, the dtype of
    their lse. Both results have first derivatives. `threads` changes no bit. Raises TypeError for
    mixed dtypes outside of autocast, and RuntimeError for what the operator refuses. Algorithm:
    FlashAttention-2 (Dao 2023), the sinks of gpt-oss, the soft-cap of Gemma 2.
    """
    dtypes = {x.dtype for x in (q, k, v)}
    if len(dtypes) > 1 and not torch.is_autocast_enabled("cpu"):
        raise TypeError(f"k and v must have q's dtype {q.dtype}, not {k.dtype} and {v.dtype}")
    sums = torch.float32 if dtypes & {torch.float16, torch.bfloat16} else q.dtype
    out, lse = _forward(
        *(x if x is None else x.to(sums) for x in (q, k, v, sink)),
        window=window,
        scale=scale,
        softcap=softcap,
        threads=check_threads(threads),
    )
    return out.to(q.dtype), lse


class SlidingAttention(nn.Module):
    """Sliding attention that owns its sinks, a parameter (heads,) that begins at 0.

    The options are those of sliding_attention.
    """

    def __init__(self, heads: int, *, window: int, **options: Any) -> None:
        super().__init__()
        self.sinks = nn.Parameter(torch.zeros(heads))
        self.attend = partial(sliding_attention, window=window, **options)

    def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """Return the attention, without lse."""
        return self.attend(q, k, v, self.sinks)[0]


# ---- training ------------------------------------------------------------------------------


def _save(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs, *output)
    ctx.options = keyword_only_inputs


def _gradients(ctx: Any, *of_results: Tensor) -> tuple[Tensor | None, ...]:
    gradients = _backward(*of_results, *ctx.saved_tensors, **ctx.options)
    return gradients if ctx.needs_input_grad[-1] else (*gradients[:3], None)


differentiable(_forward, _gradients, setup_context=_save)
differentiable(_backward, None)
autocast_to_float32(_forward)


@register_fake(_forward)
def _(q: Tensor, k: Tensor, v: Tensor, sink: Tensor | None = None, **_: Any) -> Any:
    dims = (q.dim(), k.dim(), v.dim())
    torch._check(dims == (4, 4, 4), lambda: f"q, k and v must have 4 dimensions, not {dims}")
    floats = (torch.float32, torch.float64)
    torch._check(q.dtype in floats, lambda: f"q must be float32 or float64, not {q.dtype}")
    return q.new_empty(q.shape), q.new_empty(q.shape[:3])


@register_fake(_backward)
def _(_out: Tensor, _lse: Tensor, *tensors: Tensor | None, **_: Any) -> Any:
    return tuple(tensors[0].new_empty(0 if x is None else x.shape) for x in tensors[:4])


def _operations(q: Any, k: Any, *_: Any, products: int, window: int, **_options: Any) -> int:
    """Return the multiplications and additions for the pairs of a query and a key that it sees."""
    ends = ((n, min(n, window)) for n in (k[2], max(k[2] - q[2], 0)))
    all_keys, before = (n * window - window * short + short * (short + 1) // 2 for n, short in ends)
    pairs: int = q[0] * q[1] * (all_keys - before)
    return 2 * products * pairs * q[3]


def _backward_operations(_out: Any, _lse: Any, *shapes: Any, **options: Any) -> int:
    return _operations(*shapes, products=5, **options)


count_operations(ops.sliding_attention, partial(_operations, products=2))
count_operations(ops.sliding_attention_backward, _backward_operations)


def _mapped(op: Any, info: Any, in_dims: Any, *tensors: Tensor | None, **options: Any) -> Any:
    """Make the mapped dimension more heads, each with its own sink."""
    n, folded = info.batch_size, []
    for x, dim in zip(tensors, in_dims, strict=False):
        if x is not None:
            x = x.expand(n, *x.shape) if dim is None else x.movedim(dim, 0)
            place = min(x.dim() - 2, 1)  # behind the batch, which the sinks have not
            x = x.movedim(0, place).flatten(place, place + 1)
        folded.append(x)
    results = op(*folded, **options)
    places = [int(x.dim() > 1) for x in results]
    split = (x.unflatten(i, (n, x.shape[i] // n)) for x, i in zip(results, places, strict=True))
    return tuple(split), tuple(places)


for _op in (_forward, _backward):
    register_vmap(_op, partial(_mapped, _op))


# ---- transformers --------------------------------------------------------------------------


def register_with_transformers(name: str = "ffi_cookbook", *, threads: int = 1) -> None:
    """Make this attention known to transformers, for model.set_attn_implementation(name).

    Windows, sinks and soft-caps are the model's. Padding at either end is honoured: what it gives
    itself is 0 on the left, and unspecified on the right. Dropout, packed sequences, the static
    cache, and attention that is not causal raise ValueError.
    """
    from transformers import AttentionInterface, AttentionMaskInterface

    AttentionInterface.register(name, partial(_attend, threads=threads))
    AttentionMaskInterface.register(name, _padding)


def _padding(*, attention_mask: Tensor | None, kv_offset: int, **mask: Any) -> Tensor | None:
    """Return which of (batch, keys) are tokens, or None without padding on the left.

    transformers lets a mask be skipped if it says no more than causality, window and padding.
    """
    window = getattr(mask["config"], "sliding_window", None)
    if not mask["allow_is_causal_skip"] or mask.get("local_size") not in (None, window):
        raise ValueError(
            "the mask must be causal with at most a sliding window, and not bidirectional, chunked "
            "or of packed sequences; a compiled model needs use_cache=True"
        )
    end = kv_offset + mask["kv_length"]
    if mask["q_offset"] + mask["q_length"] != end:
        raise ValueError("the last query must stand at the last key, as in the dynamic cache")
    if attention_mask is None:
        return None
    tokens = attention_mask[:, kv_offset:end]
    if ((tokens & ~nn.functional.pad(tokens, (1, -1))).sum(1) > 1).any():
        raise ValueError("attention_mask must have padding at the ends alone")
    return None if tokens[:, 0].all() else tokens


def _attend(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    *,
    threads: int,
    **given: Any,
) -> tuple[Tensor, None]:
    """Return the attention (batch, queries, heads, size) of a layer."""
    causal = given.get("is_causal")
    causal = getattr(module, "is_causal", True) if causal is None else causal
    if not causal or given.get("dropout") or given.get("position_bias") is not None:
        raise ValueError("attention must be causal, without dropout and without position_bias")
    if attention_mask is not None and attention_mask.dim() != 2:
        raise ValueError("attention_mask must have 2 dimensions (batch, keys) or be None")
    attend = partial(
        sliding_attention,
        sink=given.get("s_aux"),
        window=given.get("sliding_window") or EVERY_KEY,
        scale=given.get("scaling"),
        softcap=given.get("softcap") or 0.0,
        threads=threads,
    )
    if attention_mask is None:
        out = attend(query, key, value)[0]
    else:  # queries before the first key see none
        firsts = attention_mask.int().argmax(1).tolist()
        rows = (
            (q[None], k[None, :, i:], v[None, :, i:])
            for q, k, v, i in zip(query, key, value, firsts, strict=True)
        )
        out = torch.cat([attend(*row)[0] for row in rows])
    return out.transpose(1, 2).contiguous(), None
