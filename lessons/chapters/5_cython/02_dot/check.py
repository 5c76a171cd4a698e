"""Products of arrays with all kinds of strides, and what must be refused."""

from ffi_cookbook_lessons.cases import Made, Raises, call


def cases(draw):
    """Yield contiguous arrays first."""
    for n in draw.sizes(60):
        a, b = draw.floats(n), draw.floats(n)
        total = float(sum(x * y for x, y in zip(a, b, strict=True)))
        plain = Made("plain", (a,)), Made("plain", (b,))
        step = draw.choice([-3, -2, 2, 3])
        views = Made("strided", (a, step)), Made("strided", (b, 2))
        frozen = Made("frozen", (a,)), Made("frozen", (b,))
        yield call("dot", *plain, gives=total)
        yield call("dot", *frozen, gives=total, rule="read-only-refused")
        yield call("dot", *views, gives=total, rule="not-contiguous")
    many = Made("plain", ([0.5, 2.0] * 500,))
    yield call("dot", many, many, gives=2125.0, objects=40, timed=True)
    three, four = Made("plain", ([1.0] * 3,)), Made("plain", ([1.0] * 4,))
    yield call("dot", three, four, gives=Raises(ValueError))
    yield call("dot", four, three, gives=Raises(ValueError))
    single = Made("plain", ([1.0] * 3, "float32"))
    yield call("dot", single, single, gives=Raises(ValueError), rule="wrong-dtype")
    square = Made("plain", ([[1.0, 2.0], [3.0, 4.0]],))
    yield call("dot", square, square, gives=Raises(ValueError))
