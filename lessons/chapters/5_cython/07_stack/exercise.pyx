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

from libc.stdlib cimport free, malloc


cdef class Stack:
    cdef double *items
    # TODO: the size and the capacity, __cinit__, __dealloc__, push, pop, __len__
