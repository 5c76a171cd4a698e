from libc.stdint cimport SIZE_MAX
from libc.stdlib cimport free, malloc


cdef class Stack:
    """A stack of numbers: the last one pushed is the first one popped."""

    cdef double *items
    cdef size_t n, capacity

    def __cinit__(self, Py_ssize_t capacity):
        if capacity < 1:
            raise ValueError(f"capacity must be at least 1, not {capacity}")
        if <size_t>capacity > SIZE_MAX // sizeof(double):
            raise MemoryError("no memory for that capacity")
        self.items = <double *>malloc(capacity * sizeof(double))
        if self.items == NULL:
            raise MemoryError("no memory for that capacity")
        self.capacity = capacity

    def __dealloc__(self):
        free(self.items)

    def __len__(self):
        return self.n

    def push(self, double value):
        if self.n == self.capacity:
            raise IndexError("the stack is full")
        self.items[self.n] = value
        self.n += 1

    def pop(self):
        if self.n == 0:
            raise IndexError("the stack is empty")
        self.n -= 1
        return self.items[self.n]
