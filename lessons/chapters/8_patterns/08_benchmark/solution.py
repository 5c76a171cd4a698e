import statistics

LEAST = 0.1
"""Seconds of one sample: a hundred steps of the clock."""
ROUNDS = 9


def ratios(contenders, prepare, clock):
    """Return the time of a call of each contender, divided by that of the first."""
    expected = list(contenders[0](prepare()))
    for contender in contenders[1:]:  # these first calls also fill the caches
        if list(contender(prepare())) != expected:
            raise ValueError(f"{contender} gives other results than {contenders[0]}")
    calls = [_calls(contender, prepare, clock) for contender in contenders]
    rounds = []
    for _ in range(ROUNDS):
        pairs = zip(contenders, calls, strict=True)
        times = [_time(contender, prepare, clock, n) / n for contender, n in pairs]
        rounds.append([time / times[0] for time in times])
    return [statistics.median(column) for column in zip(*rounds, strict=True)]


def _calls(contender, prepare, clock):
    """Return a number of calls that takes long enough to be measured."""
    calls = 1
    while _time(contender, prepare, clock, calls) < LEAST:
        calls *= 2
    return calls


def _time(contender, prepare, clock, calls):
    """Return the time of that many calls, each with an argument of its own."""
    arguments = [prepare() for _ in range(calls)]
    start = clock()
    for argument in arguments:
        for _ in contender(argument):
            pass
    return clock() - start
