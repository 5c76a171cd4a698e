"""The same loops in Python over lists, and how much faster the learner's are."""

import random
import time

import numpy as np

ATTEMPTS = 7
CALLS = 20


def python_step(board, out):
    """Make one step from a list of lists to another one."""
    rows, columns = len(board), len(board[0])
    for y in range(rows):
        for x in range(columns):
            n = 0
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    n += board[(y + dy) % rows][(x + dx) % columns]
            alive = board[y][x]
            n -= alive
            out[y][x] = n == 3 or (n == 2 and alive)


def seconds(function, *arguments, calls=1):
    """Return the processor time of one call."""
    start = time.thread_time()
    for _ in range(calls):
        function(*arguments)
    return (time.thread_time() - start) / calls


def faster(subject, least):
    """Return True if `step` is `least` times as fast as Python, else the ratio of the speeds."""
    rows = [[random.randrange(2) for _ in range(96)] for _ in range(32)]
    board = np.array(rows, np.uint8)
    out, room = np.empty_like(board), [[0] * 96 for _ in rows]
    native = python = float("inf")
    for _ in range(ATTEMPTS):
        native = min(native, seconds(subject.step, board, out, calls=CALLS))
        python = min(python, seconds(python_step, rows, room))
        if python > 2 * least * native:
            break
    ratio = python / native
    return True if ratio >= least else round(ratio, 1)
