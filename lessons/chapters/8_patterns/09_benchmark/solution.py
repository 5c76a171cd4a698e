"""Find why this benchmark lies, and make it honest.

ratios(contenders, prepare, clock) compares functions that do the same work. It returns a list: the
time of one call of each contender, divided by that of the first.

contenders   functions of one argument, which return an iterable of results. A contender may be lazy
             (map, a generator), and it may change its argument (list.sort). Its first call may take
             longer, since it imports or fills a cache
prepare      returns a new argument with the same value each time; that takes time too
clock        returns the time in seconds, in steps of a millisecond, as time.time does on some
             systems. A call can take less than that

    >>> exercise.ratios([sorted, exercise.slowly], lambda: [3, 1, 2], time.perf_counter)
    [1.0, 27.4]

The machine is not quiet: another process takes the processor now and then, and after some time
the processor is warm and does everything at half the speed. The ratios must be right within 8 %
all the same.

If the results of a contender differ from those of the first, ratios raises ValueError.

The code below runs, and its numbers look convincing. It lies in at least six ways.
"""

#: import time
#:
#: CALLS = 10
# BEGIN SOLUTION
import statistics

LEAST = 0.1
"""Seconds of one sample: a hundred steps of the clock."""
ROUNDS = 9
# END SOLUTION


def ratios(contenders, prepare, clock):
    """Return the time of a call of each contender, divided by that of the first."""
    #: argument = prepare()
    #: means = []
    #: for contender in contenders:
    #:     samples = []
    #:     for _ in range(CALLS):
    #:         start = clock()
    #:         contender(argument)
    #:         samples.append(clock() - start)
    #:     means.append(sum(samples) / CALLS)
    #: return [mean / (means[0] or 1e-9) for mean in means]
    # BEGIN SOLUTION
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
    # END SOLUTION


#: def slowly(values):
#:     """Return the values in order, in more steps than are needed."""
#:     time.sleep(1e-6)
#:     return sorted(values)
# BEGIN SOLUTION
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


# END SOLUTION
