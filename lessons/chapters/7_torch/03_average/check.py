"""Averages and gradients of random arrays, including arrays that somebody changes."""

import numpy as np

from ffi_cookbook_lessons.cases import Near, Raises, drive


def gate(x):
    """Return x / (1 + exp(-x))."""
    return x / (1 + np.exp(-x))


def cases(draw):
    """Yield values, gradients by differences, and changes that must be noticed."""

    def table():
        return np.array([draw.uniform(-2, 2) for _ in range(12)]).reshape(3, 4)

    for name, arguments in (("track", ["average"]), ("gate", [])):
        says = f"the arguments that the schema of {name} says are written to"
        yield drive("written", name, gives=arguments, rule="wrong-schema", repeat=0, says=says)
    average, value, weight = table(), table(), draw.randint(1, 7) / 8
    moved = [None, Near(average + weight * (value - average), 1e-9)]
    for transposed in (False, True):
        kind = "transposed" if transposed else "contiguous"
        yield drive(
            "tracked",
            average,
            value,
            weight,
            transposed,
            gives=moved,
            rule="not-changed",
            timed=not transposed,
            says=f"track of a {kind} average",
        )
    says = "backward after track has changed a saved tensor"
    yield drive("noticed", table(), gives=True, rule="wrong-schema", repeat=0, says=says)
    x, grad, step = table(), table(), 1e-6
    yield drive("gated", x, gives=Near(gate(x), 1e-9), says="gate of an array")
    slope = (gate(x + step) - gate(x - step)) / (2 * step)
    says = "the gradient of gate"
    gives = Near(grad * slope, 1e-6)
    yield drive("gradient", x, grad, gives=gives, rule="wrong-gradient", repeat=0, says=says)
    says = "the gradient that arrives, after backward"
    yield drive("gradient_after", x, grad, gives=grad, rule="changed-input", repeat=0, says=says)
    says = "backward after x was changed in place"
    gives = Raises(RuntimeError)
    yield drive("changed_between", x, gives=gives, rule="no-exception", repeat=0, says=says)
