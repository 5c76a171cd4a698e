"""The least time of each contender in rounds: pauses and a warm processor only add to it."""


def measured(contender, prepare, clock, calls):
    waiting = iter([prepare() for _ in range(calls)])
    start = clock()
    for argument in waiting:
        list(contender(argument))
    return clock() - start


def ratios(contenders, prepare, clock):
    first, *others = [list(contender(prepare())) for contender in contenders]
    for other in others:
        if other != first:
            raise ValueError(f"{other} is not {first}")
    calls = []
    for contender in contenders:
        n = 1
        while measured(contender, prepare, clock, n) < 0.08:
            n += n
        calls.append(n)
    least = [float("inf")] * len(contenders)
    for _ in range(6):
        for i, contender in enumerate(contenders):
            least[i] = min(least[i], measured(contender, prepare, clock, calls[i]) / calls[i])
    return [value / least[0] for value in least]
