"""An exponential moving average and a CRC-32, computed by a C library."""

from pathlib import Path

import torch
from torch.autograd import forward_ad

torch.ops.load_library(Path(__file__).with_name("operators.so"))


@torch.library.register_fake("smooth::ema")
def _(x, alpha):  # what torch.compile needs to know: the shape and dtype of the result
    return torch.empty_like(x)


@torch.library.register_fake("smooth::crc32")
def _(data):  # a number that is known only when the operator runs, so the schema says SymInt
    return torch.library.get_ctx().new_dynamic_size()


def _setup(ctx, inputs, output):  # torch passes them by name
    ctx.alpha = inputs[1]


def _backward(ctx, gradient):
    """Run the average backwards, from zero. The first value weighs 1 instead of alpha."""
    start = gradient.new_zeros(1)
    result = torch.ops.smooth.ema(torch.cat([start, gradient.flip(0)]), ctx.alpha)
    result = result[1:].flip(0)
    return torch.cat([result[:1] / ctx.alpha, result[1:]]), None


torch.library.register_autograd("smooth::ema", _backward, setup_context=_setup)


def ema(x: torch.Tensor, alpha: float) -> torch.Tensor:
    """Return the exponential moving average of a float64 `x` of one dimension."""
    # The bare operator would give a forward derivative of zeros without a word.
    if forward_ad.unpack_dual(x).tangent is not None:
        raise NotImplementedError("ema has no forward derivative")
    return torch.ops.smooth.ema(x, alpha)


def crc32(data: torch.Tensor) -> int:
    """Return the CRC-32 of a contiguous uint8 tensor."""
    return torch.ops.smooth.crc32(data)
