"""Rounds forwards and backwards, as many as fit; prepared arguments, the median of the ratios."""

import statistics


class Contender:
    def __init__(self, function, prepare, clock):
        self.function, self.prepare, self.clock = function, prepare, clock
        self.answer = list(function(prepare()))
        self.calls, self.times = 128, []
        while self.sample() * self.calls < 0.1:
            self.calls *= 2

    def sample(self):
        arguments = [self.prepare() for _ in range(self.calls)]
        start = self.clock()
        for argument in arguments:
            for _ in self.function(argument):
                pass
        return (self.clock() - start) / self.calls


def ratios(contenders, prepare, clock):
    all_of_them = [Contender(function, prepare, clock) for function in contenders]
    if any(contender.answer != all_of_them[0].answer for contender in all_of_them):
        raise ValueError("other results")
    for turn in range(10):
        for contender in all_of_them[:: -1 if turn % 2 else 1]:
            contender.times.append(contender.sample())
    return [
        statistics.median(
            mine / first for mine, first in zip(c.times, all_of_them[0].times, strict=True)
        )
        for c in all_of_them
    ]
