cdef long long value_of(bytes line) except? -1:
    cdef const unsigned char *text = line
    cdef Py_ssize_t start = len(line) > 0 and text[0] == c"-", n = len(line)
    cdef long long value = 0
    if not 1 <= n - start <= 9:
        raise ValueError(f"not an integer: {line}")
    for character in text[start:n]:
        if not c"0" <= character <= c"9":
            raise ValueError(f"not an integer: {line}")
        value = 10 * value + (character - c"0")
    return -value if start else value


def total(list lines not None):
    cdef long long result = 0
    cdef bytes line
    for line in lines:
        result += value_of(line)
    return result
