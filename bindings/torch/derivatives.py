"""Derivatives of an operator: backward and forward, in every transform of torch.func.

Shows:  an Autograd kernel in Python that applies an autograd.Function at one level of torch.func.
Build:  nothing more to build.
Bites:  torch.library.register_autograd has no forward-mode derivative, and torch takes a missing
        one for zero without a word; torch.func refuses what it registers. The private names below
        are those that register_autograd itself is made of; tests/operators has a test for each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch._functorch.autograd_function import enable_single_level_autograd_function
from torch.autograd import forward_ad
from torch.autograd.function import _SingleLevelFunction

_registered = torch.library.Library("ffi_cookbook", "IMPL")


def differentiable(
    op: torch._ops.OpOverload,
    backward: Callable[..., tuple[torch.Tensor | None, ...]] | None,
    *,
    setup_context: Callable[..., None] = lambda *_: None,
    jvp: Callable[..., torch.Tensor] | None = None,
) -> None:
    """Give an operator of this namespace its derivatives.

    setup_context(ctx, inputs, keyword_only_inputs, output) and backward(ctx, *gradients) are those
    of torch.library.register_autograd; jvp(ctx, *tangents) returns the tangent of the output. Only
    tensors among `inputs` have derivatives. Those that are None raise NotImplementedError.
    """
    defaults = [a.default_value for a in op._schema.arguments if not a.kwarg_only]

    class Derivative(_SingleLevelFunction):
        @staticmethod
        def forward(ctx: Any, keyset: torch._C.DispatchKeySet, options: Any, *inputs: Any) -> Any:
            # apply() turns gradients off, but an outer level of torch.func records its own graph.
            with torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True):
                output = _below(op, keyset, inputs, options)
            setup_context(ctx, inputs, options, output)
            return output

        @staticmethod
        def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
            if backward is None:
                raise NotImplementedError(f"{op} has no derivative")
            return None, None, *backward(ctx, *gradients)

        @staticmethod
        def jvp(ctx: Any, _keyset: None, _options: None, *tangents: torch.Tensor) -> Any:
            if jvp is None:
                raise NotImplementedError(f"{op} has no derivative in forward mode")
            return jvp(ctx, *tangents)

    def kernel(keyset: torch._C.DispatchKeySet, *inputs: Any, **options: Any) -> Any:
        inputs = (*inputs, *defaults[len(inputs) :])  # torch leaves out those at the end
        if _differentiated(inputs):
            with enable_single_level_autograd_function():
                return Derivative.apply(keyset, options, *inputs)
        return _below(op, keyset, inputs, options)

    _registered.impl(op, kernel, "Autograd", with_keyset=True)


def _differentiated(inputs: Any) -> bool:
    """Return True if a derivative may be asked for; a compiled graph sets no level of duals."""
    return (
        forward_ad._current_level >= 0
        or torch._C._are_functorch_transforms_active()
        or (torch.is_grad_enabled() and torch._C._any_requires_grad(*inputs))
    )


def _below(op: Any, keyset: torch._C.DispatchKeySet, inputs: Any, options: Any) -> Any:
    with torch._C._AutoDispatchBelowAutograd():
        return op.redispatch(keyset & torch._C._after_autograd_keyset, *inputs, **options)
