"""Products of matrices of small integers, which are exact, and what must be refused."""

import numpy as np

from ffi_cookbook_lessons.cases import Made, Raises, call, drive

VALUES = ("inner sizes", "threads", "rows of out", "columns of out")
TYPES = (
    "lists",
    "integers",
    "two dtypes",
    "dtype of out",
    "order of out",
    "positional out",
    "a vector",
    "three dimensions",
    "fraction of threads",
    "byte order",
)


def matrix(draw, rows, columns, kind=np.float64):
    """Return an array of small integers."""
    return np.array(draw.integers(rows * columns, -8, 8), kind).reshape(rows, columns)


def cases(draw):
    """Yield products of both types, orders of memory, `out`, errors, and threads."""
    m, k, n = (draw.randint(2, 9) for _ in range(3))
    for kind in (np.float64, np.float32):
        for sizes in ((m, k, n), (1, 1, 1), (0, 3, 2), (2, 0, 3), (3, 2, 0)):
            a, b = matrix(draw, *sizes[:2], kind), matrix(draw, *sizes[1:], kind)
            yield call("matmul", a, b, gives=a @ b, says=f"matmul of {sizes} in {kind.__name__}")
    a, b = matrix(draw, m, k), matrix(draw, k, n)
    for order in ("columns", "spread", "reversed"):
        left, right = Made("laid_out", (a, order)), Made("laid_out", (b, order))
        says = f"matmul of read-only arrays, {order}"
        yield call("matmul", left, right, gives=a @ b, rule="not-contiguous", says=says)
    says = "matmul(a=a, b=b, out=None, threads=2)"
    yield drive("named", a, b, gives=a @ b, rule="wrong-signature", says=says)
    says = "matmul(a, b, out=out)"
    gives = [True, a @ b]
    yield drive("into", a, b, np.full((m, n), np.nan), gives=gives, after=(a, b, a @ b), says=says)
    yield drive("kept", 8, gives=True, rule="dangling", says="two results, one after the other")
    says = "matmul into a read-only out"
    yield drive("frozen", gives=Raises(TypeError), rule="changed-input", says=says)
    for fault in VALUES:
        yield drive("refused", fault, gives=Raises(ValueError), says=f"matmul: {fault}")
    for fault in ("out is a", "out is b"):
        says = f"matmul: {fault}"
        yield drive("refused", fault, gives=Raises(ValueError), rule="overlap", says=says)
    for fault in TYPES:
        rule = "wrong-signature" if "positional" in fault else "wrong-dtype"
        yield drive("refused", fault, gives=Raises(TypeError), rule=rule, says=f"matmul: {fault}")
    says = "matmul, while another thread wants to run"
    yield drive("threads_meet", gives=True, repeat=0, rule="gil-held", says=says)
    says = "matmul of 8 x 8 matrices"
    yield call("matmul", matrix(draw, 8, 8), matrix(draw, 8, 8), timed=True, says=says)
