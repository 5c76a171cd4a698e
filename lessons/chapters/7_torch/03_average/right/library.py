import torch

library = torch.library.Library("lesson", "DEF")
library.define("track(Tensor(a!) average, Tensor value, float weight) -> ()")
library.define("gate(Tensor x) -> Tensor")


@torch.library.impl("lesson::track", "CPU")
def move(average, value, weight):
    average += weight * (value - average)


@torch.library.impl("lesson::gate", "CPU")
def gated(x):
    return x / (1 + (-x).exp())


torch.library.register_fake("lesson::track")(lambda average, value, weight: None)
torch.library.register_fake("lesson::gate")(lambda x: torch.empty_like(x))


def gradient(ctx, grad):
    x = ctx.saved_tensors[0]
    s = 1 / (1 + (-x).exp())
    return grad * s * (1 + x * (1 - s))


torch.library.register_autograd(
    "lesson::gate",
    gradient,
    setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs),
)
track, gate = torch.ops.lesson.track, torch.ops.lesson.gate
