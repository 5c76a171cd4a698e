# cython: boundscheck=False, wraparound=False
# The sum of each column of three cells moves along with x, so that each cell is read three times.
def step(const unsigned char[:, ::1] board not None, unsigned char[:, ::1] out not None):
    cdef Py_ssize_t rows = board.shape[0], columns = board.shape[1], y, x, above, below
    cdef int before, here, after, n
    if out.shape[0] != rows or out.shape[1] != columns:
        raise ValueError("board and out must have the same shape")
    for y in range(rows if columns else 0):
        above = (y - 1 + rows) % rows
        below = (y + 1) % rows
        x = columns - 1
        before = board[above, x] + board[y, x] + board[below, x]
        here = board[above, 0] + board[y, 0] + board[below, 0]
        for x in range(columns):
            if x + 1 < columns:
                after = board[above, x + 1] + board[y, x + 1] + board[below, x + 1]
            else:
                after = board[above, 0] + board[y, 0] + board[below, 0]
            n = before + here + after - board[y, x]
            out[y, x] = n == 3 or (n == 2 and board[y, x])
            before = here
            here = after
