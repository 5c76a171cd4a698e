"""Views of arrays of random sizes and strides."""

import numpy as np

from ffi_cookbook_lessons.cases import Raises, drive


def viewed(name, values, kind, expected, *more, shares=True):
    """Return the case of a function that must return a view of a tensor."""
    return drive(
        "viewed",
        name,
        values,
        kind,
        *more,
        gives=["a view" if shares else "a copy", expected],
        mistakes=((["a copy", expected], "copied"),) if shares else (),
        rule="wrong-strides" if kind == "spread" else "wrong-answer",
        repeat=100 if name == "heads" else 0,
        says=f"{name} of a {kind} tensor of shape {values.shape}",
    )


def cases(draw):
    """Yield views of contiguous and of strided tensors, and those that need a copy."""
    for kind in ("contiguous", "spread"):
        n = draw.randint(4, 40)
        size = draw.randint(2, n - 1)
        row = np.array(draw.floats(n))
        expected = np.array([row[i : i + size] for i in range(n - size + 1)])
        yield viewed("windows", row, kind, expected, size)
    time, d = draw.randint(3, 7), draw.randint(2, 5)
    for kind, n in (("contiguous", 2), ("transposed", 3), ("spread", 4)):
        for batch in ((), (2,)):
            shape = (*batch, time, n * d)
            whole = np.array(draw.floats(int(np.prod(shape)))).reshape(shape)
            parts = np.stack(np.split(whole, n, -1), -3)
            yield viewed("heads", whole, kind, parts, n)
            if kind != "transposed":
                yield drive(
                    "round_trip",
                    whole,
                    n,
                    kind,
                    gives=["a view", whole],
                    mistakes=((["a copy", whole], "copied"),),
                    says=f"merged(heads(x, {n})) of a {kind} tensor of shape {shape}",
                )
            yield viewed("merged", parts, "contiguous", whole, shares=False)
    table = np.array(draw.floats(time * d)).reshape(time, d)
    yield viewed("flat", table, "contiguous", table.reshape(-1))
    yield viewed("flat", table[0], "spread", table[0])
    yield viewed("flat", table, "spread", table.reshape(-1))
    says = f"flat of a transposed tensor of shape {table.shape}"
    yield drive("viewed", "flat", table, "transposed", gives=Raises(RuntimeError), says=says)
