"""Products of many shapes and views, compared with NumPy's within a bound on rounding errors."""

import numpy as np

from ffi_cookbook_lessons.cases import Near, drive

OK, NULL_POINTER, WRONG_SHAPE = range(3)
VIEWS = {
    "a": lambda a: a,
    "a.T": lambda a: a.T,
    "a[::-1]": lambda a: a[::-1],
    "a[:, ::-2]": lambda a: a[:, ::-2],
    "a[::2, 1:]": lambda a: a[::2, 1:],
    "row": lambda a: np.broadcast_to(a[:1], a.shape),
}


def cases(draw):
    """Yield sizes near that of a block, views, wrong shapes and null pointers."""

    def matrix(rows, columns):
        return np.array([draw.uniform(-1, 1) for _ in range(rows * columns)]).reshape(rows, columns)

    def size():
        return draw.randint(3, 12)

    sizes = [(1, 1, 1), (2, 3, 4), (size(), size(), size()), (0, 3, 2), (3, 2, 0), (3, 0, 2)]
    sizes += [(5, 64, 64), (draw.randint(60, 70), draw.randint(125, 140), draw.randint(65, 100))]
    for m, k, n in sizes:
        a, b = matrix(m, k), matrix(k, n)
        says = f"matmul of {m} x {k} by {k} x {n}"
        yield drive("matmul", a, b, gives=(OK, Near(a @ b)), says=says, repeat=20)

    for of_a, of_b in (
        ("a.T", "a"),
        ("a", "a.T"),
        ("a[::-1]", "a[:, ::-2]"),
        ("row", "a[::2, 1:]"),
    ):
        k = size()
        a, b = matrix(size(), k), matrix(k, size())
        a = a.T.copy() if of_a == "a.T" else a
        b = b.T.copy() if of_b == "a.T" else b
        b = matrix(2 * k, size()) if of_b == "a[::2, 1:]" else b
        gives = VIEWS[of_a](a) @ VIEWS[of_b](b)
        says = f"matmul of views, {of_a} and {of_b.replace('a', 'b', 1)}"
        gives = (OK, Near(gives))
        yield drive("views", a, b, of_a, of_b, gives=gives, rule="wrong-strides", says=says)
    for of_c in ("c[::2, ::2]", "c[::-2, 1::2]"):
        k = size()
        a, b = matrix(size(), k), matrix(k, size())
        whole = np.full((2 * len(a), 2 * b.shape[1]), 7.0)
        if of_c == "c[::2, ::2]":
            whole[::2, ::2] = a @ b
        else:
            whole[::-2, 1::2] = a @ b
        says = f"matmul into {of_c}"
        gives = (OK, Near(whole))
        yield drive("into_view", a, b, of_c, gives=gives, rule="wrong-strides", says=says)
    a, b = matrix(4, 5), matrix(5, 6)
    wrong = [(a, b, shape) for shape in ((4, 7), (5, 6), (3, 6), (4, 5))]
    wrong += [(a, b[:4].copy(), (4, 6)), (a, matrix(7, 6), (4, 6))]
    for x, y, shape in wrong:
        gives = (WRONG_SHAPE, np.full(shape, 7.0))
        says = f"matmul of shapes {x.shape} and {y.shape} into {shape}"
        yield drive("matmul", x, y, shape, gives=gives, says=says)
    for which, name in enumerate("abc"):
        says = f"matmul with a null pointer for {name}"
        yield drive("null", which, gives=NULL_POINTER, says=says)
