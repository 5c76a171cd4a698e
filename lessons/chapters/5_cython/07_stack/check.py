"""Steps of push and pop against a list, and each way to make a stack."""

from ffi_cookbook_lessons.cases import Raises, drive


def wanted(capacity, steps):
    """Return the results of the steps, computed with a list."""
    items, found = [], []
    for step in steps:
        if step is None:
            found.append(items.pop() if items else "IndexError")
        elif len(items) == capacity:
            found.append("IndexError")
        else:
            items.append(step)
            found.append(None)
    return found, len(items)


def cases(draw):
    """Yield steps for all capacities, then the refusals."""
    for capacity in (1, 2, draw.randint(3, 9), draw.randint(10, 40)):
        numbers = draw.floats(capacity + 3)
        steps = [*numbers, *[None] * draw.randint(1, capacity), *numbers, *[None] * (capacity + 2)]
        yield drive("run", capacity, steps, gives=wanted(capacity, steps))
    steps = [None if draw.random() < 0.5 else draw.random() for _ in range(300)]
    yield drive("run", 5, steps, gives=wanted(5, steps))
    for capacity in (0, -1):
        yield drive("made", capacity, gives=Raises(ValueError))
    for capacity in (2**40, 2**61, 2**63 - 1):  # 2**61 * 8 is 0 in 64 bits
        yield drive("made", capacity, gives=Raises(MemoryError))
    yield drive("made", 5.5, gives=Raises(TypeError))
    yield drive("again", 50, gives=[1.5])
    yield drive("subclassed", gives=3.0, repeat=0)
    yield drive("without_arguments", gives=Raises(TypeError))
