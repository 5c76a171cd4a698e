def noop():
    pass


def add(long long a, long long b):
    return a + b


def length(str text):
    return len(text.encode())


def total(const double[::1] values):
    cdef double sum = 0
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        sum += values[i]
    return sum


def fail():
    raise ValueError("failed")
