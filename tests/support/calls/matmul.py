"""Products, and arguments that matmul refuses."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import numpy as np

from .call import Call, call, failing


def matmul(backend: ModuleType) -> Iterator[Call]:
    function, a, b, out = backend.matmul, np.ones((3, 4)), np.ones((4, 5)), np.ones((3, 5))
    yield call(function, a, b)
    yield call(function, b.T, a.T, out=np.ones((5, 3)))
    yield call(function, np.ones((50, 8)), np.ones((8, 50)))
    yield call(function, np.stack([a, a]), b)
    yield call(function, np.stack([a, a]), np.stack([b, b]), out=np.ones((2, 3, 5)))
    yield failing(function, a, a)
    yield failing(function, np.stack([a, a]), np.stack([b, b, b]))
    yield failing(function, np.stack([a, a]), b, out=np.ones((3, 3, 5)))
    yield failing(function, a, b.tolist())
    yield failing(function, a, b.astype(np.float32))
    yield failing(function, a, b, out=out.T)
    yield failing(function, a, b, out=a)
    yield failing(function, a, b, out=out, threads=0)
