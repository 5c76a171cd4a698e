"""The extremes of random doubles and of no doubles, and results that are not wanted."""

from ffi_cookbook_lessons.cases import drive

NOTHING = -99.0


def cases(draw):
    """Yield arrays of several sizes, some of them with values of one sign only."""
    for n in draw.sizes(200)[1:]:
        values = draw.floats(n)
        yield drive("min_max", values, gives=(0, min(values), max(values)))
    for sign in (1.0, -1.0):
        values = [sign * (1 + abs(value)) for value in draw.floats(9)]
        yield drive("min_max", values, gives=(0, min(values), max(values)))
    values = draw.floats(5)
    says = f"min_max({values}, 5, nullptr, &high)"
    yield drive("min_max", values, False, True, gives=(0, NOTHING, max(values)), says=says)
    says = f"min_max({values}, 5, &low, nullptr)"
    yield drive("min_max", values, True, False, gives=(0, min(values), NOTHING), says=says)
    yield drive("min_max", [], gives=(-1, NOTHING, NOTHING))
    yield drive("min_max_of_null", gives=(-1, NOTHING), says="min_max(nullptr, 0, &low, &high)")
