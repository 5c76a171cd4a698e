"""Searches by tests that leave the list as it is, that change it, and that fail."""

from ffi_cookbook_lessons.cases import Raises, call, drive


def cases(draw):
    """Yield searches of floats, whose references can be counted, and of items made in drive.py."""
    for n in draw.sizes(30):
        values = draw.floats(n)
        least = draw.choice([min(values, default=0.0), float(draw.randint(0, 90))])
        found = next((value for value in values if value > least), None)
        yield drive("above", values, least, gives=found)
    values = draw.floats(9)
    yield drive("above", values, min(values) - 1, gives=values[0])
    n, wanted = draw.randint(5, 20), draw.randint(0, 4)
    yield drive("calls", n, wanted, gives=[*range(wanted + 1)])
    yield drive("clears", n, wanted, gives=wanted, says="find, with a test that clears the list")
    n, at, left = draw.randint(100, 200), draw.randint(50, 90), draw.randint(1, 3)
    says = f"find, with a test that leaves {left} of {n} items at item {at}"
    yield drive("shortens", n, at, left, gives=[None, [*range(at + 1)]], says=says)
    yield drive("grows", n, gives=n, says="find, with a test that appends an item")
    yield drive("raises", 3, gives=Raises(LookupError), says="find, with a test that raises")
    says = "find, whose answer's __bool__ raises"
    yield drive("vague", 3, gives=Raises(ZeroDivisionError), says=says)
    yield call("find", (1.5, 2.5), None, gives=Raises(TypeError))
    yield call("find", [1.5, 2.5], 7.5, gives=Raises(TypeError))
