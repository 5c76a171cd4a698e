# A C function that cannot raise returns an error code, and its caller raises. It may run without
# the GIL.
cdef int read(const char *text, Py_ssize_t n, long long *value) noexcept nogil:
    cdef Py_ssize_t start = n > 0 and text[0] == c"-", i
    value[0] = 0
    if n - start < 1 or n - start > 9:
        return -1
    for i in range(start, n):
        if text[i] < c"0" or text[i] > c"9":
            return -1
        value[0] = 10 * value[0] + (text[i] - c"0")
    if start:
        value[0] = -value[0]
    return 0


def total(list lines not None):
    cdef long long result = 0, value
    cdef bytes line
    for line in lines:
        if read(line, len(line), &value) != 0:
            raise ValueError(f"not an integer: {line}")
        result += value
    return result
