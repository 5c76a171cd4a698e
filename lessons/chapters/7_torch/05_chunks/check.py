"""Losses and gradients of random layers, and the memory that they take."""

import numpy as np

from ffi_cookbook_lessons.cases import Near, drive

CHUNK = 8


def expected(x, weight, target):
    """Return the loss and its gradients, computed row by row."""
    total, of_x, of_weight = 0.0, np.zeros_like(x), np.zeros_like(weight)
    for i, (row, t) in enumerate(zip(x, target, strict=True)):
        logits = weight @ row
        powers = np.exp(logits - logits.max())
        total += np.log(powers.sum()) + logits.max() - logits[t]
        slope = powers / powers.sum()
        slope[t] -= 1
        of_x[i] = slope @ weight / len(x)
        of_weight += np.outer(slope, row) / len(x)
    return float(total / len(x)), of_x, of_weight


def cases(draw):
    """Yield losses, gradients, and the peak of memory."""

    def layer(n, d, v, scale=1):
        x = np.array([draw.uniform(-2, 2) for _ in range(n * d)]).reshape(n, d) * scale
        weight = np.array([draw.uniform(-2, 2) for _ in range(v * d)]).reshape(v, d)
        return x, weight, np.array(draw.integers(n, 0, v - 1))

    for n in (1, CHUNK, draw.randint(17, 30)):
        arrays = layer(n, draw.randint(2, 5), draw.randint(6, 20))
        loss, of_x, of_weight = expected(*arrays)
        yield drive(
            "loss",
            *arrays,
            gives=Near(loss, 1e-9),
            timed=n == CHUNK,
            repeat=100 if n == CHUNK else 0,
            says=f"the loss of {n} rows",
        )
        factor = draw.randint(2, 9)
        gives = [Near(of_x * factor, 1e-9), Near(of_weight * factor, 1e-9)]
        says = f"the gradients of {factor} times the loss of {n} rows"
        yield drive(
            "gradients", *arrays, factor, gives=gives, rule="wrong-gradient", repeat=0, says=says
        )
    arrays = layer(3, 4, 5, 100)
    arrays[0][0] = 2000 * np.sign(arrays[1][0])  # the first logit is in the thousands
    says = "the loss of large logits"
    yield drive("loss", *arrays, gives=Near(expected(*arrays)[0], 1e-9), repeat=0, says=says)
    x, weight, target = layer(100, 3, 300)
    says = "what is left between forward and backward"
    yield drive("saved", x, weight, target, gives=True, rule="saved-too-much", repeat=0, says=says)
    limit = 2 * CHUNK * len(weight) + 2 * (x.size + weight.size) + 1000
    says = f"the peak of what is allocated, of at most {limit} floats"
    yield drive(
        "within", x, weight, target, limit, gives=True, rule="too-much-memory", repeat=0, says=says
    )
