"""Averages and gradients of random arrays, including arrays that somebody changes."""

from collections.abc import Iterator

import numpy as np

from ffi_cookbook_lessons.cases import Case, Draw, Near, Raises, drive


def gate(x: np.ndarray) -> np.ndarray:
    """Return x / (1 + exp(-x))."""
    return x / (1 + np.exp(-x))


def cases(draw: Draw) -> Iterator[Case]:
    """Yield values, gradients by differences, and changes that must be noticed."""

    def table() -> np.ndarray:
        return np.array([draw.uniform(-2, 2) for _ in range(12)]).reshape(3, 4)

    for name, arguments in (("track", ["average"]), ("gate", [])):
        yield drive(
            "written",
            name,
            gives=arguments,
            rule="wrong-schema",
            repeat=0,
            says=f"the arguments that the schema of {name} says are written to",
        )
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
    yield drive(
        "noticed",
        table(),
        gives=True,
        rule="wrong-schema",
        repeat=0,
        says="backward after track has changed a saved tensor",
    )
    x, grad, step = table(), table(), 1e-6
    yield drive("gated", x, gives=Near(gate(x), 1e-9), says="gate of an array")
    slope = (gate(x + step) - gate(x - step)) / (2 * step)
    yield drive(
        "gradient",
        x,
        grad,
        gives=Near(grad * slope, 1e-6),
        rule="wrong-gradient",
        repeat=0,
        says="the gradient of gate",
    )
    yield drive(
        "gradient_after",
        x,
        grad,
        gives=grad,
        rule="changed-input",
        repeat=0,
        says="the gradient that arrives, after backward",
    )
    yield drive(
        "changed_between",
        x,
        gives=Raises(RuntimeError),
        rule="no-exception",
        repeat=0,
        says="backward after x was changed in place",
    )
