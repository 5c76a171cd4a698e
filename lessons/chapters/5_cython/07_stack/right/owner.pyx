# A small class owns the memory, and the stack owns that object: no pointer without an owner.
from libc.stdlib cimport calloc, free


cdef class Memory:
    cdef double *items

    def __cinit__(self, size_t n):
        self.items = <double *>calloc(n, sizeof(double))
        if self.items == NULL:
            raise MemoryError(n)

    def __dealloc__(self):
        free(self.items)


cdef class Stack:
    cdef Memory memory
    cdef Py_ssize_t n, capacity

    def __cinit__(self, Py_ssize_t capacity):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.memory = Memory(capacity)
        self.capacity = capacity

    def __len__(self):
        return self.n

    def push(self, double value):
        if self.n == self.capacity:
            raise IndexError("the stack is full")
        self.memory.items[self.n] = value
        self.n += 1

    def pop(self):
        if self.n == 0:
            raise IndexError("the stack is empty")
        self.n -= 1
        return self.memory.items[self.n]
