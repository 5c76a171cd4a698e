"""A world with a clock of its own, in which each function takes the time that it is given.

Closures hold what only the world knows, so that no attribute shows how long a function takes.
"""

from collections.abc import Iterator

TICKS = 1000
"""Steps of the clock in a second."""


def world(warm_after, pause_every):
    """Return a clock and a function that does work. Time passes during work and in pauses."""
    now, next_pause = 0.0123, pause_every

    def clock():
        """Return the time in whole steps."""
        return int(now * TICKS) / TICKS

    def work(microseconds):
        """Let the time pass that this takes."""
        nonlocal now, next_pause
        slow = 2 if now > warm_after else 1
        now += microseconds * 1e-6 * slow
        if now > next_pause:  # another process runs for three tenths of a second
            now += 0.3
            next_pause = now + pause_every

    return clock, work


def contender(work, microseconds, kind, first):
    """Return a function that takes a known time, and an extra time for its first call."""

    def results() -> Iterator[int]:
        """Yield the results, for which the work is done now."""
        work(microseconds)
        yield from (0, 1)

    def call(argument):
        nonlocal first
        if first:
            work(first)
            first = 0
        if kind == "lazy":
            work(1)
            return results()
        if kind == "in place":
            work(microseconds if argument[0] else 1)
            argument[0] = 0  # it is in order now
        else:
            work(microseconds)
        return [0, 9] if kind == "wrong" else [0, 1]

    return call


def measured(exercise, contenders, preparing, warm_after, pause_every, first):
    """Return the ratios in a world with such contenders, rounded."""
    clock, work = world(warm_after, pause_every)

    def prepare():
        work(preparing)
        return [1, 0]

    functions = [contender(work, cost, kind, first) for cost, kind in contenders]
    return [round(float(ratio), 6) for ratio in exercise.ratios(functions, prepare, clock)]
