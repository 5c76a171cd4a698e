"""Random arrays, and arrays of other types, strides and sizes."""

import numpy as np

from ffi_cookbook_lessons.cases import Raises, call, drive

REFUSED = [
    ("int64", "plain", "wrong-dtype"),
    ("big-endian", "plain", "wrong-dtype"),
    ("plain", "int64", "wrong-dtype"),
    ("strided", "plain", "not-contiguous"),
    ("plain", "strided", "not-contiguous"),
    ("plain", "read-only", "no-exception"),
    ("plain", "short", "no-exception"),
    ("short", "plain", "no-exception"),
    ("square", "plain", "no-exception"),
    ("list", "plain", "no-exception"),
]


def averages(values, alpha):
    """Return the moving averages."""
    found = []
    for value in values:
        found.append(found[-1] + alpha * (value - found[-1]) if found else value)
    return np.array(found, np.float64)


def cases(draw):
    """Yield averages of arrays of many sizes, and what must be refused."""
    for n in draw.sizes(300):
        x, alpha = np.array(draw.floats(n), np.float64), draw.choice([0.0, 0.25, 0.5, 1.0])
        after = (x, alpha, averages(x.tolist(), alpha))
        yield call("smooth", x, alpha, np.zeros(n), gives=None, after=after)
    for alpha in (-0.5, 1.5, float("nan")):
        yield call("smooth", np.ones(3), alpha, np.zeros(3), gives=Raises(ValueError))
    values = [float(value) for value in draw.integers(40)]
    for x, out, rule in REFUSED:
        says = f"smooth(x, 0.5, out), where x is {x} and out is {out},"
        refused = Raises(Exception)
        written = ((averages(values, 0.5).tolist(), "changed-input"),) if out == "read-only" else ()
        yield drive(
            "refused", values, x, out, gives=refused, rule=rule, says=says, mistakes=written
        )
