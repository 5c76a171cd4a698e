"""Products of matrices of small integers, which are exact, and what must be refused."""

import numpy as np

from ffi_cookbook_lessons.cases import Made, Raises, call, drive


def matrix(draw, *shape, kind=np.float64):
    """Return an array of small integers."""
    return np.array(draw.integers(int(np.prod(shape)), -8, 8), kind).reshape(shape)


def cases(draw):
    """Yield products of both types, batches, strides, `out`, errors, and threads."""
    m, k, n = (draw.randint(2, 9) for _ in range(3))
    for kind in (np.float64, np.float32):
        for sizes in ((m, k, n), (1, 1, 1), (0, 3, 2), (2, 0, 3)):
            a, b = matrix(draw, *sizes[:2], kind=kind), matrix(draw, *sizes[1:], kind=kind)
            says = f"matmul of {sizes} in {kind.__name__}"
            yield call("matmul", a, b, gives=np.matmul(a, b), says=says)
    a, b = matrix(draw, 3, m, k), matrix(draw, k, n)
    yield call("matmul", a, b, gives=np.matmul(a, b), says="matmul of a batch and a matrix")
    a = matrix(draw, m, k)
    yield call(
        "matmul",
        Made("transposed", (a,)),
        Made("spread", (b,)),
        gives=np.matmul(a, b),
        rule="not-contiguous",
        says="matmul of arrays with strides, one of them read-only",
    )
    yield drive("named", a, b, 2, gives=np.matmul(a, b), says="matmul(a=..., b=..., threads=2)")
    says = "matmul(a, b, out=out)"
    gives = [True, np.matmul(a, b)]
    yield drive(
        "into", a, b, np.full((m, n), np.nan), gives=gives, after=(a, b, np.matmul(a, b)), says=says
    )
    says = "matmul into a read-only out"
    gives = np.zeros((3, 3))
    yield drive("read_only_out", 3, gives=gives, rule="changed-input", repeat=0, says=says)
    a32, a64 = a.astype(np.float32), a.astype(np.int64)
    for arguments in ([a64, b], [a64, b.astype(np.int64)], [a, b * 1j], [a, Made("swapped", (b,))]):
        yield call("matmul", *arguments, gives=Raises(TypeError), rule="wrong-dtype")
    for arguments in ([a32, b], [a, b.tolist()], [a], [a, b, None]):
        yield call("matmul", *arguments, gives=Raises(TypeError))
    for left in (matrix(draw, m, k + 1), a[0], matrix(draw, 1, 1, 1, 1)):
        yield call("matmul", left, b, gives=Raises(ValueError))
    yield drive("into", a, b, matrix(draw, m, n + 1), gives=Raises(ValueError))
    yield drive("overlapping", 4, gives=Raises(ValueError), says="matmul(a, b, out=a)")
    yield drive("named", a, b, 0, gives=Raises(ValueError), says="matmul(a, b, threads=0)")
    yield drive("named", a, b, 1.5, gives=Raises(TypeError), says="matmul(a, b, threads=1.5)")
    for place, good in (("a", True), ("b", True), ("out", True), ("a", False), ("b", False)):
        says = f"the buffer of {place} after a call that {'succeeds' if good else 'fails'}"
        yield drive(
            "exported", place, good, gives=True, rule="buffer-not-released", repeat=0, says=says
        )
    says = "matmul, while another thread wants to run"
    yield drive("threads_meet", gives=True, repeat=0, rule="gil-held", says=says)
    says = "matmul of 8 x 8 matrices"
    yield call("matmul", matrix(draw, 8, 8), matrix(draw, 8, 8), timed=True, says=says)
