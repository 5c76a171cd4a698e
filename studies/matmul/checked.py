"""The check of products against sums in higher precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

ROWS = 2
WIDER = {"float32": np.float64, "float64": np.longdouble}
Check = Callable[[Any], bool]


def checker(a: Any, b: Any) -> Check:
    """Return a function that checks a product of a and b.

    A product must keep the error bound of any order of summation, k u |a| |b|, in each element of
    some rows and, as in R. Freivalds, "Fast probabilistic algorithms" (1979), in the sums of all
    rows with random signs.
    """
    random, wider = np.random.default_rng(0), WIDER[str(a.dtype)]
    wide_a, wide_b = a.astype(wider), b.astype(wider)
    share = len(b) * float(np.finfo(a.dtype).eps) / 2
    rows = random.integers(len(a), size=ROWS)
    signs = random.choice([-1, 1], size=b.shape[1])
    elements, sums = wide_a[rows] @ wide_b, wide_a @ (wide_b @ signs)
    elements_bound = share * (abs(wide_a[rows]) @ abs(wide_b))
    sums_bound = share * (abs(wide_a) @ abs(wide_b).sum(axis=1))

    def right(got: Any) -> bool:
        near = abs(got[rows] - elements) <= elements_bound
        return bool(near.all() and (abs(got.astype(wider) @ signs - sums) <= sums_bound).all())

    return right
