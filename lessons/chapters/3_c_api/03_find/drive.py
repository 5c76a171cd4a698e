"""Functions that test items, and that change the list or fail."""


class Item:
    """An item that only the list keeps alive."""

    def __init__(self, number):
        self.number = number
        self.text = f"item {number}"


class Vague:
    """An answer that is neither true nor false."""

    def __bool__(self):
        raise ZeroDivisionError


def number_of(found):
    """Return the number of an item, or any other object as it is."""
    return getattr(found, "number", found)


def above(subject, items, least):
    """Look for an item, with answers that are new objects."""
    return subject.find(items, lambda item: [item] if item > least else [])


def calls(subject, n, wanted):
    """Return the numbers of the items that were tested."""
    tested = []
    items = [Item(i) for i in range(n)]
    subject.find(items, lambda item: tested.append(item.number) or item.number == wanted)
    return tested


def clears(subject, n, wanted):
    """Find an item with a test that empties the list."""
    items = [Item(i) for i in range(n)]

    def test(item):
        if item.number == wanted:
            items.clear()
            return True
        return False

    return number_of(subject.find(items, test))


def shortens(subject, n, at, left):
    """Find nothing, with a test that shortens the list when it reaches one item."""
    items = [Item(i) for i in range(n)]
    tested = []

    def test(item):
        tested.append(item.number)
        if item.number == at:
            items[:] = items[:left]
        return None

    return [number_of(subject.find(items, test)), tested]


def grows(subject, n):
    """Find an item that the test appends."""
    items = [Item(i) for i in range(n)]

    def test(item):
        if item.number == n - 1:
            items.append(Item(n))
        return item.number == n

    return number_of(subject.find(items, test))


def raises(subject, n):
    """Look for an item with a test that raises."""

    def test(item):
        raise LookupError(item.text)

    return subject.find([Item(i) for i in range(n)], test)


def vague(subject, n):
    """Look for an item with a test whose answer raises when it is used as a bool."""
    return subject.find([Item(i) for i in range(n)], lambda item: Vague())
