import statistics


def _time(contender, prepare, clock, calls):
    arguments = [prepare() for _ in range(calls)]
    start = clock()
    for argument in arguments:
        for _ in contender(argument):
            pass
    return (clock() - start) / calls


def ratios(contenders, prepare, clock):
    answers = [list(contender(prepare())) for contender in contenders]
    if any(answer != answers[0] for answer in answers):
        raise ValueError("different results")
    medians = [
        statistics.median(_time(contender, prepare, clock, 2000) for _ in range(9))
        for contender in contenders
    ]
    return [median / medians[0] for median in medians]
