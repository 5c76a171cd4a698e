"""Gradients of random arrays by differences, and what may be saved and computed for them."""

import numpy as np

from ffi_cookbook_lessons.cases import Near, Raises, drive

EPS, STEP = 0.125, 1e-5


def normalized(x, weight):
    """Return x / sqrt(mean(x ** 2) + eps) * weight."""
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + EPS) * weight


def differences(function, at):
    """Return the gradient of a function at a point by central differences."""
    result = np.empty_like(at)
    for i in np.ndindex(at.shape):
        step = np.zeros_like(at)
        step[i] = STEP
        result[i] = (function(at + step) - function(at - step)) / (2 * STEP)
    return result


def slope(x, weight):
    """Return the gradient of the sum of the squares of the result, for x."""
    return differences(lambda at: float((normalized(at, weight) ** 2).sum()), x)


def cases(draw):
    """Yield results, gradients of both orders, and limits of memory and work."""

    def array(*shape):
        return np.array([draw.uniform(-2, 2) for _ in range(int(np.prod(shape)))]).reshape(shape)

    rows, size = draw.randint(2, 4), draw.randint(3, 6)
    weight = array(size)
    for shape in ((rows, size), (2, rows, size)):
        x = array(*shape)
        says = f"rms_norm of shape {shape}"
        gives = Near(normalized(x, weight), 1e-9)
        yield drive("normalized", x, weight, EPS, gives=gives, timed=len(shape) == 2, says=says)
        for kind, grad in (("transposed", array(*shape)), ("expanded", array(1))):

            def value(a, w, grad=grad):
                return float((normalized(a, w) * grad).sum())

            of_x = differences(lambda at, value=value: value(at, weight), x)
            of_weight = differences(lambda at, value=value, x=x: value(x, at), weight)
            yield drive(
                "gradients",
                x,
                weight,
                EPS,
                grad,
                kind,
                gives=[Near(of_x, 1e-6), Near(of_weight, 1e-6)],
                rule="wrong-gradient",
                repeat=0,
                says=f"the gradients for shape {shape}, of a gradient that is {kind}",
            )
    x, direction = array(rows, size), array(rows, size)
    ahead, behind = slope(x + STEP * direction, weight), slope(x - STEP * direction, weight)
    says = "a second derivative"
    gives = Near((ahead - behind) / (2 * STEP), 1e-3)
    yield drive(
        "second", x, weight, EPS, direction, rule="wrong-gradient", repeat=0, gives=gives, says=says
    )
    yield drive(
        "saves_little",
        array(3, 50),
        array(50),
        EPS,
        gives=True,
        rule="saved-too-much",
        repeat=0,
        says="what is saved besides the arguments",
    )
    says = "backward where only one gradient is needed"
    yield drive("saves_work", x, weight, EPS, gives=True, rule="too-slow", repeat=0, says=says)
    says = "backward after x was changed in place"
    gives = Raises(RuntimeError)
    yield drive(
        "changed_between", x, weight, EPS, gives=gives, repeat=0, rule="no-exception", says=says
    )
