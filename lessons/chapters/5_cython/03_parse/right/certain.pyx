# `except -1` is right where -1 is never a value: here it is the only error, and the value is apart.
cdef int read(bytes line, long long *value) except -1:
    if line is None:
        raise TypeError("a line must be bytes")
    digits = line.removeprefix(b"-")
    if not digits.isdigit() or len(digits) > 9:
        raise ValueError(f"not an integer: {line}")
    value[0] = int(line)
    return 0


def total(list lines not None):
    cdef long long result = 0, value = 0
    cdef bytes line
    for line in lines:
        read(line, &value)
        result += value
    return result
