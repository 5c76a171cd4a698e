"""Windows of arrays with all memory layouts, with NumPy's slices as the reference."""

import numpy as np

from ffi_cookbook_lessons.cases import Made, Raises, call, drive


def cases(draw):
    """Yield values and strides, then lifetimes, then what must be refused."""
    for n in (1, 2, draw.randint(5, 20), draw.randint(20, 60)):
        values = np.array(draw.floats(n))
        width = draw.choice([1, n, 1 << draw.randint(0, n.bit_length() - 1)])
        slices = np.array([values[i : i + width] for i in range(n - width + 1)])
        for order in ("plain", "read-only", "spread", "reversed"):
            array = Made("array", (values, order))
            rule = {
                "spread": "not-contiguous",
                "reversed": "not-contiguous",
                "read-only": "read-only-refused",
            }.get(order, "wrong-answer")
            expected = np.array([sum(s) / width for s in slices])
            says = f"means of {n} values, {order}, width {width}"
            yield call("means", array, width, gives=expected, rule=rule, says=says)
            says = f"windows of {n} values, {order}, width {width}"
            yield call("windows", array, width, gives=slices, rule=rule, says=says)
    says = "the results after the values have gone"
    yield drive("kept", 100, gives=[True, True], rule="dangling", says=says)
    says = "windows shows the values and cannot be written to"
    mistakes = (
        ([False, False], "copied"),
        ([False, True], "copied"),
        ([True, True], "changed-input"),
    )
    yield drive("viewed", 10, gives=[True, False], mistakes=mistakes, says=says)
    says = "means returns an array of its own, to be written to"
    yield drive("fresh", 10, gives=[False, True], rule="shared", says=says)
    values = np.array(draw.floats(8))
    for name in ("means", "windows"):
        for width in (0, 9):
            yield call(name, values, width, gives=Raises(ValueError))
        for wrong in (values.astype(np.float32), values.astype(np.int64), values * 1j):
            yield call(name, wrong, 2, gives=Raises(TypeError), rule="wrong-dtype")
        for other in (values.reshape(2, 4), np.array(1.0), values.tolist(), None):
            yield call(name, other, 2, gives=Raises(TypeError))
