"""Predictions, where the loop stops, and whether other threads can run meanwhile."""

from ffi_cookbook_lessons.cases import Raises, drive


def cases(draw):
    """Yield predictions of arrays with strides, then faults, then the threads."""
    for n in draw.sizes(40):
        values = [abs(value) for value in draw.floats(n)]
        wanted = [value * value + 1 for value in values]
        gives = None, wanted, True
        yield drive("predicted", values, 1, True, gives=gives)
        yield drive("predicted", values, 3, True, gives=gives, rule="not-contiguous")
        yield drive("predicted", values, 1, False, gives=gives, rule="read-only-refused")
    n = draw.randint(5, 30)
    values = [abs(value) for value in draw.floats(n)]
    for position in (0, draw.randint(1, n - 2), n - 1):
        negative = [*values[:position], -1.0, *values[position + 1 :]]
        written = [value * value + 1 for value in values[:position]] + [-5.0] * (n - position)
        gives = (f"item {position} is negative", written)
        yield drive("stopped", negative, gives=gives, rule="no-exception")
    yield drive("sizes", n, n - 1, gives=Raises(ValueError))
    yield drive("sizes", n - 1, n, gives=Raises(ValueError))
    yield drive("threads_meet", gives=True, rule="gil-held", repeat=0)
