"""Valid products: small whole numbers, so that every order of the sums gives the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..case import Case, Function
from ..verdict import plain

SIZES = [0, 1, 1, 2, 3, 3, 4, 4, 5, 7, 8]


def make(case: Case) -> dict[str, tuple[str, Any]]:
    rng = case.rng
    m, k, n = (rng.choice(SIZES) for _ in range(3))
    if rng.random() < 0.03:
        m, k, n = (rng.choice([9, 16, 17, 33]) for _ in range(3))
    dtype = rng.choice((np.float32, np.float64))
    batch_a, batch_b = rng.choice(((), (), (), (2,), (1,))), rng.choice(((), (), (), (2,), (1,)))
    batch = max(batch_a, batch_b)
    a = _matrix(case, (*batch_a, m, k), dtype)
    b = _matrix(case, (*batch_b, k, n), dtype)
    out = None
    if rng.random() < 0.5:
        out = _matrix(case, (*batch, m, n), dtype)
    return {
        "a": ("array", a),
        "b": ("array", b),
        "out": ("array" if out is not None else "", out),
        "threads": ("int", rng.choice((1, 1, 1, 2, 3))),
    }


def _matrix(case: Case, shape: tuple[int, ...], dtype: Any) -> Any:
    size = int(np.prod(shape))
    x = (np.arange(case.rng.randrange(9), case.rng.randrange(9) + 99 + size)[:size] % 13).astype(
        dtype
    )
    x = x.reshape(shape)
    return x if case.rng.random() < 0.3 else case.memory.place(x)


def call(backend: Any, v: dict[str, Any]) -> Any:
    return backend.matmul(v["a"], v["b"], out=v["out"], threads=v["threads"])


def digest(case: Case, result: Any) -> Any:
    return result is case.values["out"], plain(np.asarray(result))


MATMUL = [Function("matmul", "matmul", make, call, digest, weight=4)]
