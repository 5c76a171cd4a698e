from array import array

from cpython.unicode cimport PyUnicode_AsUTF8


cdef extern from "split.h":
    ctypedef struct Entry:
        const char *level
        const char *service
        size_t level_size, service_size
        double duration
    enum:
        FINE
    const char *WRONG[3]
    int split(const char *text, Entry *entry)


def parse(list lines, dict weights):
    cdef Entry entry
    cdef int code
    cdef dict groups = {}
    cdef Py_ssize_t number = 0
    cdef str line, level
    for line in lines:
        number += 1
        code = split(PyUnicode_AsUTF8(line), &entry)
        if code != FINE:
            raise ValueError(f"line {number}: {WRONG[code].decode()}")
        level = entry.level[:entry.level_size].decode()
        if level not in weights:
            raise ValueError(f"line {number}: unknown level {level}")
        service = entry.service[:entry.service_size].decode()
        values = groups.get(service)
        if values is None:
            groups[service] = values = array("d")
        values.append(<double>weights[level] * entry.duration)
    return groups
