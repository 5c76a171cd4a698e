# cython: boundscheck=False, wraparound=False
# Three rows as pointers, in a C function without the GIL.
cdef void row(const unsigned char *above, const unsigned char *here, const unsigned char *below,
              unsigned char *out, Py_ssize_t columns) noexcept nogil:
    cdef Py_ssize_t x, left, right
    cdef int n
    for x in range(columns):
        left = columns - 1 if x == 0 else x - 1
        right = 0 if x == columns - 1 else x + 1
        n = (above[left] + above[x] + above[right] + here[left] + here[right]
             + below[left] + below[x] + below[right])
        out[x] = (n | here[x]) == 3


def step(const unsigned char[:, ::1] board not None, unsigned char[:, ::1] out not None):
    cdef Py_ssize_t y, rows = board.shape[0]
    if board.shape[0] != out.shape[0] or board.shape[1] != out.shape[1]:
        raise ValueError("the shapes differ")
    if board.shape[1] == 0:
        return
    with nogil:
        for y in range(rows):
            row(&board[rows - 1 if y == 0 else y - 1, 0], &board[y, 0],
                &board[0 if y == rows - 1 else y + 1, 0], &out[y, 0], board.shape[1])
