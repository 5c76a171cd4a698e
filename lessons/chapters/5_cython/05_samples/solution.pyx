# cython: boundscheck=False, wraparound=False
"""Find and fix the bugs: Samples measures a sound, and gives wrong results or crashes.

    >>> samples = exercise.Samples(np.array([100, -100, 50], np.int32))
    >>> samples.energy(), samples.crossings()
    (22500, 2)

The samples are a C-contiguous array of int32, at most 65,536 of 24 bits each, from -2**23 to
2**23 - 1; the array may be read-only. They are not copied: later changes to the array take
effect. `energy` is the sum of the squares, and `crossings` is the number of samples whose sign
differs from that of the sample before (0 counts as positive). There are three bugs. The index
checks stay off.
"""


cdef class Samples:
    """Samples of a sound, which are not copied."""

    #: cdef const int *items
    # BEGIN SOLUTION
    cdef const int[::1] items  # the view keeps the array alive
    # END SOLUTION
    cdef Py_ssize_t n

    def __init__(self, const int[::1] items not None):
        #: self.items = &items[0]
        # BEGIN SOLUTION
        self.items = items
        # END SOLUTION
        self.n = items.shape[0]

    def energy(self):
        """Return the sum of the squares."""
        #: cdef int total = 0
        #: cdef Py_ssize_t i
        #: for i in range(self.n):
        #:     total += self.items[i] * self.items[i]
        # BEGIN SOLUTION
        cdef long long total = 0, item
        cdef Py_ssize_t i
        for i in range(self.n):
            item = self.items[i]
            total += item * item
        # END SOLUTION
        return total

    def crossings(self):
        """Return how often the sign changes."""
        cdef Py_ssize_t i, count = 0
        #: for i in range(self.n):
        # BEGIN SOLUTION
        for i in range(1, self.n):
        # END SOLUTION
            count += (self.items[i] < 0) != (self.items[i - 1] < 0)
        return count
