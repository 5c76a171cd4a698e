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

import time

CALLS = 10


def ratios(contenders, prepare, clock):
    """Return the time of a call of each contender, divided by that of the first."""
    argument = prepare()
    means = []
    for contender in contenders:
        samples = []
        for _ in range(CALLS):
            start = clock()
            contender(argument)
            samples.append(clock() - start)
        means.append(sum(samples) / CALLS)
    return [mean / (means[0] or 1e-9) for mean in means]


def slowly(values):
    """Return the values in order, in more steps than are needed."""
    time.sleep(1e-6)
    return sorted(values)
