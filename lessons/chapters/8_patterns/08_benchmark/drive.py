"""A world with a clock of its own, in which each function takes the time that it is given."""

from collections.abc import Iterator

TICKS = 1000
"""Steps of the clock in a second."""


class World:
    """Time that passes only when work is done, except for pauses."""

    def __init__(self, warm_after, pause_every):
        self.now = 0.0123
        self.warm_after, self.pause_every = warm_after, pause_every
        self.next_pause = pause_every

    def clock(self):
        """Return the time in whole steps."""
        return int(self.now * TICKS) / TICKS

    def work(self, microseconds):
        """Let the time pass that this takes."""
        slow = 2 if self.now > self.warm_after else 1
        self.now += microseconds * 1e-6 * slow
        if self.now > self.next_pause:  # another process runs for three tenths of a second
            self.now += 0.3
            self.next_pause = self.now + self.pause_every


class Contender:
    """A function that takes a known time, and an extra time for its first call."""

    def __init__(self, world, microseconds, kind, first):
        self.world, self.microseconds, self.kind, self.first = world, microseconds, kind, first

    def __call__(self, argument):
        if self.first:
            self.world.work(self.first)
            self.first = 0
        if self.kind == "lazy":
            self.world.work(1)
            return self.results(argument)
        if self.kind == "in place":
            self.world.work(self.microseconds if argument[0] else 1)
            argument[0] = 0  # it is in order now
        else:
            self.world.work(self.microseconds)
        return [0, 9] if self.kind == "wrong" else [0, 1]

    def results(self, argument) -> Iterator[int]:
        """Yield the results, for which the work is done now."""
        self.world.work(self.microseconds)
        yield from (0, 1)


def measured(exercise, contenders, preparing, warm_after, pause_every, first):
    """Return the ratios in a world with such contenders, rounded."""
    world = World(warm_after, pause_every)

    def prepare():
        world.work(preparing)
        return [1, 0]

    functions = [Contender(world, cost, kind, first) for cost, kind in contenders]
    return [round(float(ratio), 6) for ratio in exercise.ratios(functions, prepare, world.clock)]
