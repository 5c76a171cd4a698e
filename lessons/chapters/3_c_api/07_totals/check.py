"""Totals, what a call allocates, and orders that cannot be read."""

from ffi_cookbook_lessons.cases import Made, Raises, call, drive


def cases(draw):
    """Yield lists of several sizes with what they may allocate, then errors."""
    factor = draw.choice([0.5, 2.0, 3.0])
    for n in [*draw.sizes(50), 1000]:
        pairs = list(zip(draw.floats(n), draw.floats(n), strict=True))
        yield call(
            "totals",
            Made("orders", (pairs,)),
            factor,
            gives=[price * amount * factor for price, amount in pairs],
            objects=n + 2,
            timed=n == 1000,
            says=f"totals(<{n} orders>, {factor})",
        )
    prices = draw.floats(5)
    says = "totals of orders whose price is a property"
    gives = [price * 2.0 * factor for price in prices]
    yield drive("priced", prices, factor, gives=gives, says=says)
    bad = [(1.0, 2.0), (1.0, "2")]
    says = "totals of an order whose amount is a str"
    yield call("totals", Made("orders", (bad,)), 1.0, gives=Raises(TypeError), says=says)
    yield call("totals", [1.5, 2.5], 1.0, gives=Raises(AttributeError))
    yield call("totals", (), 1.0, gives=Raises(TypeError))
    yield call("totals", [], "1", gives=Raises(TypeError))
    yield call("totals", [], gives=Raises(TypeError))
    yield call("totals", [], 1.0, 2.0, gives=Raises(TypeError))
    for left, what in ((draw.randint(1, 3), "shortens"), (0, "clears")):
        says = f"totals of orders, the first of which {what} the list"
        yield drive("shortens", 100, left, gives=Raises(RuntimeError), says=says)
    says = "totals after a second module of the same file has gone"
    yield drive("two_modules", [(2.0, 3.0)], gives=[[6.0], [6.0]], repeat=0, says=says)
