"""Items whose __index__ changes what is shared, and threads that add at the same time."""

from concurrent.futures import ThreadPoolExecutor


class Item:
    """An integer that runs a function when it is converted."""

    def __init__(self, value, run):
        self.value, self.run = value, run

    def __index__(self):
        self.run()
        return self.value


def grown(subject, items, inner):
    """Return by how much the total grows if an item calls add too, with the inner items."""
    before = subject.add([])
    return subject.add([Item(0, lambda: subject.add(inner)), *items]) - before


def cleared(subject, value):
    """Return by how much the total grows if the first item clears the list."""
    items, before = [], subject.add([])
    items += [Item(value, items.clear), Item(5, bool)]
    return subject.add(items) - before


def together(subject, threads, calls):
    """Return by how much the total grows when threads add ones at the same time."""
    before = subject.add([])
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda _: [subject.add([1, 1]) for _ in range(calls)], range(threads)))
    return subject.add([]) - before
