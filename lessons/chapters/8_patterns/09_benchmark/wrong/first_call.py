import statistics


def _time(contender, prepare, clock, calls):
    arguments = [prepare() for _ in range(calls)]
    start = clock()
    results = [list(contender(argument)) for argument in arguments]
    return (clock() - start) / calls, results[0]


def ratios(contenders, prepare, clock):
    rounds = []
    for _ in range(2):
        samples = [_time(contender, prepare, clock, 2000) for contender in contenders]
        if any(result != samples[0][1] for _, result in samples):
            raise ValueError("different results")
        rounds.append([time / samples[0][0] for time, _ in samples])
    return [statistics.mean(column) for column in zip(*rounds, strict=True)]
