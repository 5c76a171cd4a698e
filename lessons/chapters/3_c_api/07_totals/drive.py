"""Orders, and some that change their list."""

import importlib.util
import sys


class Order:
    """An order with two attributes, which can be read without making anything."""

    __slots__ = ("amount", "price")

    def __init__(self, price, amount):
        self.price = price
        self.amount = amount


class Fickle:
    """An order that shortens its list when its price is read."""

    def __init__(self, orders, left):
        self.orders, self.left, self.amount = orders, left, 2.0

    @property
    def price(self):
        """Leave some orders in the list, and return a price."""
        del self.orders[self.left :]
        return 1.0


class Priced:
    """An order whose price is a new float each time."""

    amount = 2.0

    def __init__(self, price):
        self.half = price / 2

    @property
    def price(self):
        """Return the price."""
        return self.half + self.half


def priced(subject, prices, factor):
    """Return the totals of orders whose prices are computed."""
    return subject.totals([Priced(price) for price in prices], factor)


def orders(pairs):
    """Return a list of orders."""
    return [Order(price, amount) for price, amount in pairs]


def shortens(subject, n, left):
    """Ask for the totals of orders, the first of which shortens the list."""
    items = [Order(1.0, 1.0) for _ in range(n)]
    items.insert(0, Fickle(items, left))
    return subject.totals(items, 1.0)


def two_modules(subject, pairs):
    """Return the totals by this module after a second module of the same file has gone."""
    spec = importlib.util.spec_from_file_location("exercise", subject.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    first = module.totals(orders(pairs), 1.0)
    del module, sys.modules["exercise"]
    return [first, subject.totals(orders(pairs), 1.0)]
