"""Quantiles as NumPy has them, and each status of the library."""

import math

import numpy as np

from ffi_cookbook_lessons.cases import Made, Near, Raises, call


def cases(draw):
    """Yield quantiles of all sizes, then each error."""
    for n in (1, 2, 3, draw.randint(4, 40), 4096):
        values = draw.floats(n)
        for q in (0.0, draw.random(), 1.0):
            wanted = float(np.quantile(np.array(values), q))
            scale = max(map(abs, values))
            relative = 1e-12 * max(1, scale / (abs(wanted) or 1e-12 * (scale or 1)))
            yield call("quantile", Made("array", (values,)), q, gives=Near(wanted, relative))
    values = Made("array", (draw.floats(5),))
    yield call("quantile", Made("array", ([],)), 0.5, gives=Raises(ValueError, "no values"))
    for q in (-0.1, 1.1, math.nan):
        yield call("quantile", values, q, gives=Raises(ValueError, "q must be from 0 to 1"))
    nan = Made("array", ([1.0, math.nan],))
    yield call("quantile", nan, 0.5, gives=Raises(ValueError, "a value is NaN"))
    many = Made("array", ([1.0] * 4097,))
    yield call("quantile", many, 0.5, gives=Raises(MemoryError, "too many"))
    strided = Made("every_other", (draw.floats(5),))
    yield call("quantile", strided, 0.5, gives=Raises(ValueError), rule="not-contiguous")
    single = Made("single", (draw.floats(5),))
    yield call("quantile", single, 0.5, gives=Raises(ValueError), rule="wrong-dtype")
    yield call("quantile", None, 0.5, gives=Raises(TypeError))
    yield call("quantile", values, "half", gives=Raises(TypeError))
