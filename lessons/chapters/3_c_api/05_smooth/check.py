"""Smoothed values, errors, and what other threads can do meanwhile."""

import math

from ffi_cookbook_lessons.cases import Made, Raises, call, drive


def smoothed(values):
    """Return each value as the mean of itself and the result before it."""
    result = values[:1]
    for value in values[1:]:
        result.append((result[-1] + value) / 2)
    return result


def cases(draw):
    """Yield values of several sizes, then errors, then threads."""
    for n in draw.sizes(40):
        values = draw.floats(n)
        says = f"smooth(array.array('d', <{n} doubles>))"
        gives = smoothed(values)
        yield drive("smoothed", Made("array_of", ("d", values)), gives=gives, repeat=0, says=says)
    yield call("smooth", Made("array_of", ("d", draw.floats(5))), gives=None)
    values = draw.floats(20)
    values[draw.randint(0, 19)] = draw.choice([math.inf, math.nan])
    yield call("smooth", Made("array_of", ("d", values)), gives=Raises(ValueError))
    yield call("smooth", Made("array_of", ("f", [1.0, 2.0])), gives=Raises(TypeError))
    yield call("smooth", None, gives=Raises(TypeError))
    says = "smooth, while another thread wants to run"
    yield drive("threads_meet", gives=True, repeat=0, rule="gil-held", says=says)
    says = "smooth, while another thread resizes the array"
    yield drive("resized", 1000, gives=False, repeat=0, rule="use-after-free", says=says)
