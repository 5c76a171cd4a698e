# cython: boundscheck=False, wraparound=False


cdef class Samples:
    """Samples of a sound, which are not copied."""

    cdef const int[::1] items  # the view keeps the array alive
    cdef Py_ssize_t n

    def __init__(self, const int[::1] items not None):
        self.items = items
        self.n = items.shape[0]

    def energy(self):
        """Return the sum of the squares."""
        cdef long long total = 0, item
        cdef Py_ssize_t i
        for i in range(self.n):
            item = self.items[i]
            total += item * item
        return total

    def crossings(self):
        """Return how often the sign changes."""
        cdef Py_ssize_t i, count = 0
        for i in range(1, self.n):
            count += (self.items[i] < 0) != (self.items[i - 1] < 0)
        return count
