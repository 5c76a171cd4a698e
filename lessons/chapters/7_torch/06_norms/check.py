"""Norms of random matrices of both types and several strides, and what must be refused."""

import numpy as np

from ffi_cookbook_lessons.cases import Near, Raises, drive


def norms(x):
    """Return the norm of each row, in the type of the items."""
    return np.array([np.linalg.norm(row.astype(float)) for row in x], x.dtype)


def normalized(x):
    """Return the rows divided by their norms, and rows of zeros as they are."""
    lengths = np.array([np.linalg.norm(row.astype(float)) or 1 for row in x])
    return (x / lengths.reshape(-1, 1)).astype(x.dtype)


def cases(draw):
    """Yield norms, rows that are changed in place, and tensors that must be refused."""
    for name, arguments in (("row_norms", []), ("normalize_", ["x"])):
        says = f"the arguments that the schema of {name} says are written to"
        yield drive("written", name, gives=arguments, rule="wrong-schema", repeat=0, says=says)
    for dtype in ("float32", "float64"):
        near = 1e-6 if dtype == "float32" else 1e-12
        for kind in ("contiguous", "transposed", "spread"):
            m, n = draw.randint(2, 6), draw.randint(7, 12)
            x = np.array(draw.integers(m * n, -90, 90), dtype).reshape(m, n)
            x[draw.randrange(m)] = 0
            rule = "wrong-answer" if kind == "contiguous" else "wrong-strides"
            says = f"of a {kind} matrix of {dtype}, {m} x {n}"
            yield drive(
                "row_norms",
                x,
                kind,
                gives=Near(norms(x), near),
                rule=rule,
                timed=kind == "contiguous",
                repeat=100 if kind == "contiguous" else 0,
                says=f"row_norms {says}",
            )
            yield drive(
                "normalize",
                x,
                kind,
                gives=[None, Near(normalized(x), near)],
                mistakes=(([None, x], "not-changed"),),
                rule=rule,
                repeat=0,
                says=f"normalize_ {says}",
            )
    for shape in ((0, 3), (3, 0)):
        x = np.zeros(shape)
        says = f"row_norms of shape {shape}"
        yield drive("row_norms", x, "contiguous", gives=norms(x), repeat=0, says=says)
    many = np.full((1, 40_000), 1.1, "float32")
    says = "row_norms of 40,000 floats in a row"
    gives = Near(norms(many), 1e-6)
    yield drive(
        "row_norms", many, "contiguous", gives=gives, repeat=0, rule="lost-precision", says=says
    )
    for name in ("row_norms", "normalize_"):
        for dtype in ("int64", "complex64"):
            says = f"{name} of {dtype}"
            gives = Raises(RuntimeError)
            yield drive(
                "refused", name, dtype, (2, 3), gives=gives, repeat=0, rule="wrong-dtype", says=says
            )
        for shape in ((4,), (2, 2, 2)):
            says = f"{name} of shape {shape}"
            gives = Raises(RuntimeError)
            yield drive("refused", name, "float32", shape, gives=gives, repeat=0, says=says)
