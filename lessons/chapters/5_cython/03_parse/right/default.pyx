# Without a clause: for a C type, Cython 3 adds `except? -1` by itself.
cdef long long value_of(bytes line):
    digits = line[1:] if line.startswith(b"-") else line
    if not (digits.isdigit() and len(digits) <= 9):
        raise ValueError(f"not an integer: {line}")
    return int(line)


def total(list lines not None):
    cdef long long result = 0
    for item in lines:
        if not isinstance(item, bytes):
            raise TypeError("a line must be bytes")
        result += value_of(item)
    return result
