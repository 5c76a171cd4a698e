# With the checks on: the tests of nine indices are cheap beside a division.
def step(const unsigned char[:, ::1] board not None, unsigned char[:, ::1] out not None):
    cdef Py_ssize_t rows = board.shape[0], columns = board.shape[1], x, y, right, below
    cdef int n
    if board.shape[0] != out.shape[0] or board.shape[1] != out.shape[1]:
        raise ValueError("the shapes differ")
    for y in range(rows):
        below = y + 1 if y + 1 < rows else 0
        for x in range(columns):
            right = x + 1 if x + 1 < columns else 0
            # An index of -1 is the last row or column, as in Python.
            n = (board[y - 1, x - 1] + board[y - 1, x] + board[y - 1, right]
                 + board[y, x - 1] + board[y, right]
                 + board[below, x - 1] + board[below, x] + board[below, right])
            out[y, x] = n == 3 or (n == 2 and board[y, x])
