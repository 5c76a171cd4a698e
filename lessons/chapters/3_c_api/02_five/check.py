"""Check what four functions return, with items whose references can be counted."""

from ffi_cookbook_lessons.cases import Raises, call


def cases(draw):
    """Yield items that are neither cached nor immortal: floats, large ints and long strings."""
    values = [*draw.floats(3), draw.randint(1 << 40, 1 << 60), f"item {draw.randint(10, 99)}"]
    draw.shuffle(values)
    yield call("first", values, gives=values[0])
    yield call("first", [], gives=Raises(IndexError))
    yield call("pair", values[0], values[1], gives=(values[0], values[1]))
    for n in (0, 1, 5):
        yield call("doubled", tuple(values[:n]), gives=[value + value for value in values[:n]])
    yield call("doubled", (1.5, None), gives=Raises(TypeError))
    long = {"x" * draw.randint(1000, 2000): None, tuple(draw.floats(600)): None}
    yield call("lengths", tuple(long), gives={item: len(item) for item in long})
    yield call("lengths", (), gives={})
    yield call("lengths", ("the next has no length", 1.5), gives=Raises(TypeError))
    yield call("lengths", ("the next has no hash", [1, 2]), gives=Raises(TypeError))
