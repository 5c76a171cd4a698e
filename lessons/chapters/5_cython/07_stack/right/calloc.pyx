# calloc tests the product for overflow by itself.
from libc.stdlib cimport calloc, free


cdef class Stack:
    cdef double *items
    cdef double *top
    cdef Py_ssize_t capacity

    def __cinit__(self, Py_ssize_t capacity, *args, **kwargs):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.items = self.top = <double *>calloc(capacity, sizeof(double))
        if not self.items:
            raise MemoryError()
        self.capacity = capacity

    def __dealloc__(self):
        if self.items:
            free(self.items)

    def __len__(self):
        return self.top - self.items

    def push(self, double value):
        if self.top - self.items >= self.capacity:
            raise IndexError("full")
        self.top[0] = value
        self.top += 1

    def pop(self):
        if self.top == self.items:
            raise IndexError("empty")
        self.top -= 1
        return self.top[0]
