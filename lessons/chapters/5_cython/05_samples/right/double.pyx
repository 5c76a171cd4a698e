# cython: boundscheck=False, wraparound=False
# A double holds integers up to 2**53, and these sums have up to 62 bits: so in two halves.
cdef class Samples:
    cdef const int[::1] items

    def __init__(self, const int[::1] items not None):
        self.items = items

    def energy(self):
        cdef unsigned long long low = 0, high = 0, square
        cdef long long item
        for item in self.items:
            square = item * item
            low += square & 0xFFFFFF
            high += square >> 24
        return (high << 24) + low

    def crossings(self):
        cdef Py_ssize_t i
        return sum([(self.items[i] < 0) != (self.items[i - 1] < 0)
                    for i in range(1, self.items.shape[0])])
