# cython: boundscheck=False, wraparound=False
# The pointer stays, and beside it the view to which the memory belongs.
cdef class Samples:
    cdef const int *items
    cdef Py_ssize_t n
    cdef object owner

    def __init__(self, const int[::1] items not None):
        self.owner = items
        self.items = &items[0]
        self.n = items.shape[0]

    def energy(self):
        cdef long long total = 0
        for i in range(self.n):
            total += <long long>self.items[i] * self.items[i]
        return total

    def crossings(self):
        cdef Py_ssize_t i, count = 0
        for i in range(self.n):
            if i > 0 and (self.items[i] < 0) != (self.items[i - 1] < 0):
                count += 1
        return count
