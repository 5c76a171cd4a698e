"""Products of small integers, which are exact, with gradients, and what must be refused."""

import numpy as np

from ffi_cookbook_lessons.cases import Made, Raises, call, drive


def summed(gradient, shape):
    """Return a gradient summed over the batch that its argument does not have."""
    return gradient if gradient.ndim == len(shape) else gradient.sum(0)


def cases(draw):
    """Yield products of arrays and tensors, gradients, promises and errors."""

    def matrix(*shape, kind=np.float64):
        return np.array(draw.integers(int(np.prod(shape)), -8, 8), kind).reshape(shape)

    for name, arguments in (("matmul", []), ("matmul_out", ["out"])):
        says = f"the arguments that the schema of {name} says are written to"
        yield drive("written", name, gives=arguments, rule="wrong-schema", repeat=0, says=says)
    m, k, n = draw.randint(2, 4), draw.randint(5, 7), draw.randint(8, 9)
    a, b = matrix(m, k), matrix(k, n)
    for kind in (np.float64, np.float32):
        for sizes in ((m, k, n), (0, 3, 2), (2, 0, 3)):
            x, y = matrix(*sizes[:2], kind=kind), matrix(*sizes[1:], kind=kind)
            yield call(
                "matmul",
                x,
                y,
                gives=np.matmul(x, y),
                timed=sizes[0] == m,
                repeat=100 if sizes[0] == m else 0,
                says=f"matmul of {sizes} in {kind.__name__}",
            )
    says = "matmul of arrays with strides, one of them read-only"
    yield call("matmul", a, Made("spread", (b,)), gives=a @ b, repeat=0, says=says)
    yield drive("named", a, b, 2, gives=a @ b, repeat=0, says="matmul(a=..., b=..., threads=2)")
    nothing = np.full((m, n), np.nan)
    yield drive(
        "into",
        a,
        b,
        nothing,
        gives=[True, a @ b],
        rule="not-contiguous",
        repeat=0,
        after=(a, b, a @ b),
        says="matmul(a, b, out=out)",
    )
    says = "matmul into a read-only out"
    gives = np.zeros((3, 3))
    yield drive("read_only_out", 3, gives=gives, rule="changed-input", repeat=0, says=says)
    for x, y in ((a, b), (matrix(3, m, k), b), (a, matrix(3, k, n))):
        shapes = f"shapes {x.shape} and {y.shape}"
        says = f"matmul of tensors of {shapes}"
        yield drive("of_tensors", x, y, gives=[x @ y, True, x @ y], repeat=0, says=says)
        grad = matrix(*(x @ y).shape)
        of_x = summed(grad @ np.swapaxes(y, -1, -2), x.shape)
        of_y = summed(np.swapaxes(x, -1, -2) @ grad, y.shape)
        says = f"the gradients for {shapes}"
        yield drive(
            "gradients", x, y, grad, gives=[of_x, of_y], rule="wrong-gradient", repeat=0, says=says
        )
        shape = (x @ y).shape
        strides = [n, 1] if len(shape) == 2 else [m * n, n, 1]
        for device in ("cpu", "cuda:0"):
            yield drive(
                "fake",
                x.shape,
                y.shape,
                "float32",
                device,
                rule="wrong-fake",
                repeat=0,
                gives=[list(shape), strides, "torch.float32", device],
                says=f"the fake result for {shapes} on {device}",
            )
    says = "a compiled program"
    yield drive("compiled", a, b, gives=a @ b + 1, rule="wrong-fake", repeat=0, says=says)
    for arguments in (
        [a.astype(np.int64), b],
        [a, b * 1j],
        [a.astype(np.float32), b],
        [a, b.tolist()],
        [a, b, None],
    ):
        yield call("matmul", *arguments, gives=Raises(TypeError), repeat=0)
    for left in (matrix(m, k + 1), a[0], matrix(1, 1, 1, 1)):
        yield call("matmul", left, b, gives=Raises(ValueError), repeat=0)
    yield drive("into", a, b, matrix(m, n + 1), gives=Raises(ValueError), repeat=0)
    says = "matmul(a, b, threads=0)"
    yield drive("named", a, b, 0, gives=Raises(ValueError), says=says, repeat=0)
    says = "matmul(a, b, threads=1.5)"
    yield drive("named", a, b, 1.5, gives=Raises(TypeError), says=says, repeat=0)
    says = "matmul, while another thread wants to run"
    yield drive("threads_meet", gives=True, repeat=0, rule="gil-held", says=says)
