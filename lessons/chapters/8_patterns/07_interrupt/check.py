"""Factors, and signals that arrive meanwhile."""

from ffi_cookbook_lessons.cases import Raises, call, drive


def factor(number):
    """Return the smallest factor greater than 1."""
    return next((i for i in range(2, int(number**0.5) + 1) if number % i == 0), number)


def prime(draw, low, high):
    """Return a random prime in the range."""
    while True:
        number = draw.randint(low, high)
        if factor(number) == number:
            return number


def cases(draw):
    """Yield factors first, then what signals and the GIL do."""
    for number in (2, 3, 4, 49, *draw.integers(4, 5, 10**6)):
        yield call("smallest_factor", number, gives=factor(number))
    for number, kind in (
        (1, ValueError),
        (0, ValueError),
        (-1, OverflowError),
        (2**64, OverflowError),
        ("7", TypeError),
    ):
        yield call("smallest_factor", number, gives=Raises(kind))
    low, high = sorted(prime(draw, 400_000, 600_000) for _ in range(2))
    long = low * high
    yield call("smallest_factor", long, gives=low, repeat=0, timed=True)
    at = draw.randint(1000, 100_000)
    for kind in ("KeyboardInterrupt", "TimeoutError"):
        yield drive(
            "interrupted",
            long,
            at,
            kind,
            gives=(kind, "in time"),
            repeat=20,
            rule="not-interruptible",
            says=f"a signal at step {at}, whose handler raises {kind}",
        )
    says = f"a signal at step {at}, whose handler raises nothing"
    yield drive("gone_on", long, at, gives=(low, [5]), repeat=0, says=says)
    says = f"the looks for signals in a search of {low} steps"
    mistakes = (("many looks", "gil-released"),)
    gives = "few looks"
    yield drive("looks", long, gives=gives, rule="gil-held", repeat=0, mistakes=mistakes, says=says)
    yield drive("in_a_thread", long, gives=[low], repeat=0, says="a search in another thread")
