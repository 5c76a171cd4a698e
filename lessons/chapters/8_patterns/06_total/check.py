"""Sums, errors, items that run code, and threads."""

from ffi_cookbook_lessons.cases import Raises, call, drive


def cases(draw):
    """Yield one thread first; without the GIL the last case finds every update in two steps."""
    for items, kind in (([1, -2], ValueError), ([1, "2"], TypeError), ([1 << 99], OverflowError)):
        yield call("add", items, gives=Raises(kind))
    yield call("add", (1, 2), gives=Raises(TypeError))
    for n in draw.sizes(30):
        items, inner = ([draw.randint(0, 1 << 40) for _ in range(m)] for m in (n, 2))
        says = f"the total of {n} items, of which the first calls add"
        yield drive("grown", items, inner, gives=sum(items + inner), rule="race", says=says)
    says = "add of 2 and 5, when the first clears the list"
    yield drive("cleared", 2, gives=7, rule="use-after-free", says=says)
    says = "the total, when four threads add"
    yield drive("together", 4, 2000, gives=16_000, rule="race", repeat=0, says=says)
