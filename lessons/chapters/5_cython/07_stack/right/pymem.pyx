# Python's allocator, which tracemalloc sees.
from cpython.mem cimport PyMem_Calloc, PyMem_Free


cdef class Stack:
    cdef double *items
    cdef Py_ssize_t n
    cdef readonly Py_ssize_t capacity

    def __cinit__(self, Py_ssize_t capacity):
        if capacity <= 0:
            raise ValueError(f"capacity: {capacity}")
        self.capacity = capacity
        self.items = <double *>PyMem_Calloc(capacity, sizeof(double))
        if self.items is NULL:
            raise MemoryError

    def __dealloc__(self):
        PyMem_Free(self.items)

    def __len__(self):
        return self.n

    def push(self, value):
        if self.n >= self.capacity:
            raise IndexError
        self.items[self.n] = value
        self.n += 1

    def pop(self):
        if not self.n:
            raise IndexError
        self.n -= 1
        return self.items[self.n]
