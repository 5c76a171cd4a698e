# cython: boundscheck=False, wraparound=False


def step(const unsigned char[:, ::1] board not None, unsigned char[:, ::1] out not None):
    cdef Py_ssize_t rows = board.shape[0], columns = board.shape[1]
    cdef Py_ssize_t x, y, above, below, left, right
    cdef int n
    if out.shape[0] != rows or out.shape[1] != columns:
        raise ValueError("board and out must have the same shape")
    for y in range(rows):
        above = y - 1 if y > 0 else rows - 1
        below = y + 1 if y < rows - 1 else 0
        for x in range(columns):
            left = x - 1 if x > 0 else columns - 1
            right = x + 1 if x < columns - 1 else 0
            n = (board[above, left] + board[above, x] + board[above, right]
                 + board[y, left] + board[y, right]
                 + board[below, left] + board[below, x] + board[below, right])
            out[y, x] = n == 3 or (n == 2 and board[y, x])
