"""Write total(lines): the sum of the integers in a list of bytes, with a C function for each line.

    >>> exercise.total([b"12", b"-1", b"7"])
    18
    >>> exercise.total([b"12", b"1x"])
    Traceback (most recent call last):
      ...
    ValueError: not an integer: b'1x'

A line is an optional minus sign followed by 1 to 9 digits; anything else raises ValueError with
the line in its message. An item that is not bytes raises TypeError. The C function
`value_of` returns a C integer, and raises where the line is wrong: -1 is a value like any other.
"""


#: cdef long long value_of(bytes line) noexcept:
#:     # TODO: the value of one line; what does `noexcept` promise?
#:     return 0
# BEGIN SOLUTION
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
# END SOLUTION


def total(list lines not None):
    cdef long long result = 0
    cdef bytes line
    for line in lines:
        result += value_of(line)
    return result
