# BEGIN SOLUTION
# cython: boundscheck=False, wraparound=False
# END SOLUTION
"""Make it faster, and prove it: one step of Conway's Game of Life, fifty times as fast as Python.

    >>> board = np.array([[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 0]], np.uint8)
    >>> out = np.empty_like(board)
    >>> exercise.step(board, out)
    >>> (out == board).all()
    True

The function below is correct. `board` and `out` are C-contiguous 2-D arrays of uint8, of the
same shape (else ValueError) and not the same memory; a cell is 0 or 1. The board has no edges: left
of the first column is the last one. A cell is alive in `out` if three of its eight neighbours are
alive, or if it is alive and two of them are. Your version takes at most a fiftieth of the time that
the same loops take in Python over lists, as the checker measures it.
"""


#: def step(board, out):
#:     # TODO: types; then look for what the inner loop does again and again
#:     if board.shape != out.shape:
# BEGIN SOLUTION
def step(const unsigned char[:, ::1] board not None, unsigned char[:, ::1] out not None):
    cdef Py_ssize_t rows = board.shape[0], columns = board.shape[1]
    cdef Py_ssize_t x, y, above, below, left, right
    cdef int n
    if out.shape[0] != rows or out.shape[1] != columns:
# END SOLUTION
        raise ValueError("board and out must have the same shape")
    #: rows, columns = board.shape
    #: for y in range(rows):
    #:     for x in range(columns):
    #:         n = 0
    #:         for dy in range(-1, 2):
    #:             for dx in range(-1, 2):
    #:                 n += board[(y + dy) % rows, (x + dx) % columns]
    #:         alive = board[y, x]
    #:         n -= alive
    #:         out[y, x] = n == 3 or (n == 2 and alive)
    # BEGIN SOLUTION
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
    # END SOLUTION
