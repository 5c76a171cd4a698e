"""Boards of all shapes, down to one cell, and the speed."""

import numpy as np

from ffi_cookbook_lessons.cases import Raises, call, drive


def stepped(board):
    """Return the next board, by NumPy."""
    around = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]
    n = sum(np.roll(board.astype(int), shift, (0, 1)) for shift in around)
    return ((n == 3) | ((n == 2) & (board == 1))).astype(np.uint8)


def cases(draw):
    """Yield boards, then the refusals, then the race."""
    shapes = [(1, 1), (1, 5), (4, 1), (2, 2), (3, 3), (0, 4), (4, 0)]
    shapes += [(draw.randint(4, 20), draw.randint(4, 20)) for _ in range(3)]
    for rows, columns in shapes:
        cells = [[draw.randint(0, 1) for _ in range(columns)] for _ in range(rows)]
        board = np.array(cells, np.uint8).reshape(rows, columns)
        out = np.full_like(board, 7)
        yield call("step", board, out, gives=None, after=(board, stepped(board)), timed=rows > 3)
    board, narrow = np.zeros((5, 6), np.uint8), np.zeros((5, 5), np.uint8)
    yield call("step", board, narrow, gives=Raises(ValueError))
    yield call("step", narrow, board[:4], gives=Raises(ValueError))
    says = "the speed, in multiples of Python's"
    yield drive("faster", 50, gives=True, rule="too-slow", repeat=0, modes=("release",), says=says)
