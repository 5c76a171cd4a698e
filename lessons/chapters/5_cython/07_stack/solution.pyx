"""Write the class Stack: numbers in memory that it gets from malloc, and frees.

    >>> stack = exercise.Stack(2)
    >>> stack.push(1.5)
    >>> stack.push(2.5)
    >>> len(stack), stack.pop()
    (2, 2.5)

Stack(capacity) has room for that many float64. `push` on a full stack and `pop` on an empty one
raise IndexError. A capacity below 1 raises ValueError, and one for which there is no memory raises
MemoryError. No Stack can exist without its memory, whatever is called: a subclass may have an
`__init__` that calls nothing, and `__init__` may be called twice.
"""

# BEGIN SOLUTION
from libc.stdint cimport SIZE_MAX
# END SOLUTION
from libc.stdlib cimport free, malloc


cdef class Stack:
    #: cdef double *items
    #: # TODO: the size and the capacity, __cinit__, __dealloc__, push, pop, __len__
    # BEGIN SOLUTION
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
    # END SOLUTION
