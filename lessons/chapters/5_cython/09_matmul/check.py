"""Products in all orders of memory against NumPy, and each faulty argument."""

import numpy as np

from ffi_cookbook_lessons.cases import Made, Near, Raises, drive

ORDERS = ["C", "F", "strides", "backwards"]
VALUES = ["inner sizes", "a vector", "three dimensions", "threads", "shape of out", "smaller out"]
VALUES += ["order of out", "read-only out"]
TYPES = ["lists", "two dtypes", "dtype of out"]


def cases(draw):
    """Yield products, then the refusals."""
    shapes = [(1, 1, 1), (2, 0, 3), (0, 2, 3), (2, 3, 0), (1, 5, 1), (5, 1, 4)]
    shapes += [(draw.randint(3, 12), draw.randint(3, 12), draw.randint(3, 12)) for _ in range(6)]
    for number, (m, depth, n) in enumerate(shapes):
        dtype = "float32" if number % 2 else "float64"
        x, y = draw.floats(m * depth), draw.floats(depth * n)
        wanted = np.array(x, dtype).reshape(m, depth) @ np.array(y, dtype).reshape(depth, n)
        near = Near(wanted, 1e-4 if number % 2 else 1e-11)
        first, second = ORDERS[number % 4], ORDERS[(number // 2) % 4]
        a = Made("operand", (x, [m, depth], dtype, first))
        b = Made("operand", (y, [depth, n], dtype, second))
        yield drive("into", a, b, [m, n], dtype, gives=near)
        yield drive("fresh", a, b, gives=near)
    for fault in VALUES:
        yield drive("refused", fault, gives=Raises(ValueError))
    for fault in ("out is a", "out is b"):
        yield drive("refused", fault, gives=Raises(ValueError), rule="overlap")
    for fault in TYPES:
        yield drive("refused", fault, gives=Raises(TypeError))
