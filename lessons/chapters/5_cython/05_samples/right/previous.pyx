# cython: boundscheck=False, wraparound=False
# The sign of the sample before is carried along, so that no index is negative.
from libc.stdint cimport int32_t, int64_t


cdef class Samples:
    cdef const int32_t[::1] items

    def __cinit__(self, const int32_t[::1] items not None):
        self.items = items

    def energy(self):
        cdef int64_t total = 0, item
        for i in range(self.items.shape[0]):
            item = self.items[i]
            total += item * item
        return total

    def crossings(self):
        if self.items.shape[0] == 0:
            return 0
        cdef Py_ssize_t i, count = 0
        cdef bint negative, before = self.items[0] < 0
        for i in range(1, self.items.shape[0]):
            negative = self.items[i] < 0
            count += negative != before
            before = negative
        return count
