"""The layout according to the module struct, and random readings."""

import struct

from ffi_cookbook_lessons.cases import Raises, call, drive

FORMAT = "BIfdh"


def layout():
    """Return the offset and the size of each field, and the size of all, as C pads them."""
    ends = [struct.calcsize("@" + FORMAT[: i + 1]) for i in range(len(FORMAT))]
    sizes = [struct.calcsize("=" + letter) for letter in FORMAT]
    places = [(end - size, size) for end, size in zip(ends, sizes, strict=True)]
    return [*places, struct.calcsize(f"@{FORMAT}0d")]


def cases(draw):
    """Yield the layout, means, products and what must be refused."""
    where = "the offset and the size of each field, and the size of the struct"
    yield drive("layout", gives=layout(), rule="wrong-layout", says=where)

    def reading(most=2**15 - 1):
        time, level = draw.getrandbits(32), draw.randint(-(2**15), most)
        value, error = draw.floats(2)
        return draw.getrandbits(8), time, value, abs(error), level

    for most in (-1, 2**15 - 1):
        a, b = reading(most), reading()
        means = (a[0], max(a[1], b[1]), (a[2] + b[2]) / 2, max(a[3], b[3]), a[4])
        yield call("mean", a, b, gives=means)
        factor = 2.0 ** draw.randint(-4, 4)
        product = (*a[:2], a[2] * factor, a[3] * factor, a[4])
        yield call("scaled", a, factor, gives=product)
    yield call("scaled", reading(), 0.0, gives=Raises(ValueError))
    yield call("scaled", reading(), -1.0, gives=Raises(ValueError))
