"""Samples of the contenders in turn, each as long as it must be; the fastest pair of neighbours."""

from collections import deque


def sample(contender, prepare, clock):
    total = calls = 0
    batch = 64
    while total < 0.2:
        arguments = [prepare() for _ in range(batch)]
        start = clock()
        for argument in arguments:
            deque(contender(argument), maxlen=0)
        total += clock() - start
        calls += batch
        batch *= 2
    return total / calls


def ratios(contenders, prepare, clock):
    answers = [list(contender(prepare())) for contender in contenders]
    if any(answer != answers[0] for answer in answers):
        raise ValueError("the contenders do different work")
    table = [[sample(c, prepare, clock) for c in contenders] for _ in range(7)]
    found = []
    for column in range(len(contenders)):
        ordered = sorted(row[column] / row[0] for row in table)
        found.append(ordered[len(ordered) // 2])
    return found
