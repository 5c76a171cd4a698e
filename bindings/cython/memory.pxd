# The definitions of memory.pyx, for the modules that cimport it.

from libc.stdint cimport uint8_t


cdef class Borrowed:
    cdef Py_buffer view
    cdef const uint8_t *data
    cdef Py_ssize_t size


cdef class Memory:
    cdef void *data
