"""Distances of random points, and what the operator promises about them."""

import numpy as np

from ffi_cookbook_lessons.cases import Near, Raises, drive

NO_FAKE = ((Raises(RuntimeError, "no fake impl"), "wrong-fake"),)


def expected(a, b):
    """Return the distances by a loop over all pairs."""
    rows = [[float(np.hypot.reduce(x - y, initial=0.0)) for y in b] for x in a]
    return np.array(rows, a.dtype).reshape(len(a), len(b))


def promised(m, n, dtype, device):
    """Return the description of a contiguous result."""
    return {"shape": [m, n], "dtype": f"torch.{dtype}", "strides": [n, 1], "device": device}


def cases(draw):
    """Yield real results, promises, and shapes that do not fit."""

    def points(n, d, dtype):
        return np.array(draw.integers(n * d, -8, 8), dtype).reshape(n, d)

    says = "the schema of the operator"
    gives = "lesson::distances(Tensor a, Tensor b) -> Tensor"
    yield drive("schema", gives=gives, rule="not-registered", repeat=0, says=says)
    m, n, d = draw.randint(3, 6), draw.randint(7, 9), draw.randint(2, 5)
    for dtype in ("float32", "float64"):
        a, b = points(m, d, dtype), points(n, d, dtype)
        values = Near(expected(a, b), 1e-6)
        described = promised(m, n, dtype, "cpu")
        lines = {**described, "strides": [1, m]}
        says = f"distances of {m} and {n} points in {dtype}"
        mistakes = (([lines, values], "wrong-fake"),)
        gives = [described, values]
        yield drive("computed", a, b, gives=gives, timed=True, mistakes=mistakes, says=says)
        for device in ("cpu", "cuda:0"):
            yield drive(
                "fake",
                (m, d),
                (n, d),
                dtype,
                device,
                rule="wrong-fake",
                mistakes=NO_FAKE,
                repeat=0,
                gives=promised(m, n, dtype, device),
                says=f"the fake result for {dtype} on {device}",
            )
    says = "the fake result for sizes that are symbols"
    gives = [True, True]
    yield drive(
        "symbolic", m, n, d, gives=gives, rule="wrong-fake", mistakes=NO_FAKE, repeat=0, says=says
    )
    a, b = points(m, d, "float32"), points(n, d, "float32")
    yield drive(
        "autocast",
        a,
        b,
        gives=Near(expected(a, b), 1e-6),
        rule="wrong-dtype",
        mistakes=((Raises(TypeError, "BFloat16"), "wrong-dtype"),),
        repeat=0,
        says="distances of bfloat16 under autocast",
    )
    for a_shape, b_shape in (((m, d), (n, d + 1)), ((d,), (n, d)), ((m, d), (n, 1))):
        says = f"distances of shapes {a_shape} and {b_shape}"
        gives = Raises(ValueError)
        yield drive(
            "computed", np.ones(a_shape), np.ones(b_shape), gives=gives, says=says, repeat=0
        )
    yield drive(
        "fake",
        (m, d),
        (n, d + 1),
        "float32",
        "cpu",
        gives=Raises(ValueError),
        rule="wrong-fake",
        repeat=0,
        says="the fake result for rows that do not fit",
    )
