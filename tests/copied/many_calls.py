"""Check a copied callback whose native function calls three times: its first exception ends it."""

import traceback

try:
    from patterns.callback import callback
except ImportError:
    from patterns import callback


REFUSALS = (TypeError, ValueError, OverflowError, RuntimeError)
"""For a result that is not a number: `std::function` makes a RuntimeError of it."""


class Own(BaseException):
    """An exception that only this file knows."""


def outcome(results: list[object]) -> tuple[object, int]:
    """Return the result of a callback or its exception, and the number of calls in Python.

    The function gives each result in turn, or raises it.
    """
    calls = 0

    def function(x: float) -> object:
        nonlocal calls
        assert x == 1.5
        calls += 1
        result = results[calls - 1]
        if isinstance(result, BaseException):
            raise result from result.__cause__
        return result

    try:
        return callback(function, 1.5), calls
    except BaseException as error:
        frames = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
        if error in results:
            assert frames[-1] == "function", frames
        return error, calls


assert outcome([1.0, 2.0, 3.0]) == (4.0, 3)
for place in range(3):
    for kind in (KeyError, RecursionError, StopIteration, KeyboardInterrupt, SystemExit, Own):
        error = kind("raised")
        error.__cause__ = cause = ValueError("why")
        error.__notes__ = ["a note"]
        results = [1.0, 2.0, 3.0, 4.0]
        results[place] = error
        raised, calls = outcome(results)
        assert raised is error, (kind, place, raised)
        assert calls == place + 1, (kind, place, calls)
        assert error.__cause__ is cause
        assert error.__notes__ == ["a note"]
        results[place + 1] = Own("a second one, never raised")
        assert outcome(results) == (error, place + 1)
    for wrong in (None, "text", 1j, [], 10**400):
        results = [1.0, 2.0, 3.0]
        results[place] = wrong
        raised, calls = outcome(results)
        assert isinstance(raised, REFUSALS), (wrong, place, raised)
        assert calls == place + 1, (wrong, place, calls)


def caught(x: float) -> float:
    """Call back again, inside, where an exception is handled."""
    error = Own("inner")
    raised, calls = outcome([x, error])
    assert raised is error
    assert calls == 2
    return callback(lambda y: y * 2, x)


assert callback(caught, 1.5) == 5.0
try:
    callback(lambda x: callback(lambda y: 1 / 0, x), 1.5)
except ZeroDivisionError:
    assert callback(float, 1.5) == 2.5
else:
    raise AssertionError("the inner exception is lost")
print("right")
