"""The softmax of random arrays of both types, calculated by NumPy in double."""

import numpy as np

from ffi_cookbook_lessons.cases import Near, drive


def expected(x):
    """Return the softmax in the array's type, within what rounding allows."""
    exact = np.exp(x.astype(float) - x.max(initial=-np.inf))
    exact /= exact.sum()
    return Near(exact.astype(x.dtype), 1e-5)


def cases(draw):
    """Yield arrays of several sizes, large values, masked values, and calls in place."""
    for dtype in (np.float32, np.float64):
        name = f"softmax_f{np.dtype(dtype).itemsize * 8}"
        for n in draw.sizes(200):
            x = np.array([draw.uniform(-5, 5) for _ in range(n)], dtype)
            yield drive("softmax", x, gives=expected(x), says=f"{name} of {n} values")
        for shift in (1000, -1000):
            x = (shift + np.array([draw.uniform(-5, 5) for _ in range(9)])).astype(dtype)
            yield drive("softmax", x, gives=expected(x), says=f"{name} of values about {shift}")
        x = np.where(np.arange(12) % 3, -np.inf, [draw.uniform(-5, 5) for _ in range(12)])
        x = x.astype(dtype)
        yield drive("softmax", x, gives=expected(x), says=f"{name} of masked values")
        x = np.array([draw.uniform(-5, 5) for _ in range(20)], dtype)
        says = f"{name}(x, 20, x)"
        yield drive("softmax", x, True, gives=expected(x), says=says)
    x = np.array([draw.uniform(-5, 5) for _ in range(50)])
    exact = Near(expected(x).value, 1e-13)
    says = "softmax_f64 to 13 digits"
    yield drive("softmax", x, gives=exact, rule="lost-precision", says=says)
