"""Series of several sizes, two at a time, and copies of them."""

from ffi_cookbook_lessons.cases import drive


def cases(draw):
    """Yield series that are filled, copied to less and to more room, and cloned."""
    for n in (*draw.sizes(100), 1000):
        values = draw.floats(n)
        for room in sorted({0, n // 2, n, n + 3}):
            gives = (n, min(n, room), values[:room] + [-99.0] * (room - n))
            yield drive("fill", values, room, gives=gives, says=says(n, room))
    a, b = draw.floats(100), draw.floats(100)
    yield drive("two", a, b, gives=[a, b], says="two series that grow in turn")
    for n in (0, 4, draw.randint(5, 60)):
        values, more = draw.floats(n), draw.floats(draw.randint(0, 9))
        gives = (values + more, values + [-value for value in more])
        yield drive("clone", values, more, gives=gives, says=f"a clone of a series of {n} values")
    yield drive("free_nothing", gives=None, says="series_free(nullptr)")


def says(n, room):
    """Return the name of the case in messages."""
    return f"series_copy(s, out, {room}) of {n} values"
