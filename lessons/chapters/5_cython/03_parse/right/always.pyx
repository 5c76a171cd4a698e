# `except *`: the caller asks PyErr_Occurred after every call.
import re


cdef long long value_of(bytes line) except *:
    if not re.fullmatch(rb"-?[0-9]{1,9}", line):
        raise ValueError(f"not an integer: {line}")
    return int(line)


def total(list lines not None):
    return sum([value_of(line) for line in lines])
