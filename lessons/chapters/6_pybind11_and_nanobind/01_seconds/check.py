"""Durations as text and as numbers, errors, and signatures."""

from ffi_cookbook_lessons.cases import Raises, call, drive


class DurationError(ValueError):
    """An exception with the name and the base class that the module's own must have."""


def clock(seconds, separator=":", hours=True):
    """Return the seconds as the exercise's function shows them."""
    numbers = [seconds // 3600, seconds // 60 % 60, seconds % 60]
    return separator.join(f"{number:02}" for number in numbers[0 if hours else 1 :])


def cases(draw):
    """Yield texts and numbers, then errors, then names and defaults."""
    for _ in range(4):
        h, m, s = draw.randint(0, 90), draw.randint(0, 59), draw.randint(0, 59)
        yield call("seconds", f"{h}h{m}m{s}s", gives=h * 3600 + m * 60 + s)
        yield call("clock", h * 3600 + m * 60 + s, gives=clock(h * 3600 + m * 60 + s))
    for number in (0, draw.randint(1, 1 << 40), float(draw.randint(1, 99)), 1.5):
        yield call("seconds", number, gives=number, rule="wrong-dtype")
    for text in ("soon", "", "5", "h", "1h 5m", "ä"):
        yield call("seconds", text, gives=Raises(ValueError, text))
        yield call("seconds", text, gives=Raises(DurationError))
    for value in (None, [], b"1h"):
        yield call("seconds", value, gives=Raises(TypeError))
    yield call("clock", -draw.randint(1, 99), gives=Raises(DurationError))
    yield call("clock", 1.5, gives=Raises(TypeError))
    n = draw.randint(3600, 80_000)
    for options in ({"separator": "."}, {"hours": False}, {"hours": False, "separator": " – "}):
        says = f"clock(seconds={n}, **{options})"
        gives = clock(n, **options)
        yield drive("named", n, options, gives=gives, rule="wrong-signature", says=says)
    yield call("clock", n, ".", gives=Raises(TypeError), rule="wrong-signature")
    says = "clock has a docstring besides its signature"
    yield drive("documented", gives=True, rule="wrong-signature", says=says)
