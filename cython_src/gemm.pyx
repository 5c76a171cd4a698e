# cython: freethreading_compatible=True, boundscheck=False, wraparound=False, cdivision=True
"""The product of two batches of matrices: plain loops over blocks that stay in the caches.

Shows:  typed memoryviews with any strides; one source for float32 and float64 (a fused type); loops
        without the GIL that the C compiler turns into vector instructions.
Build:  cython -3 gemm.pyx, then the C compiler with -O3.
Bites:  boundscheck=False: the caller compares the shapes first. The compiler vectorizes the inner
        loop only because both of its rows are contiguous, which `b` need not be: hence the copy.
"""

from cython cimport floating

cdef enum:
    DEPTH = 64
    WIDTH = 256

BLOCK = DEPTH, WIDTH  # the shape of the copied part of b: 64 kB of float32, 128 kB of float64


cdef void multiply_matrix(floating[:, ::1] out, const floating[:, :] a, const floating[:, :] b,
                          floating[:, ::1] block) noexcept nogil:
    """Set out = a @ b. Each element is summed in the order of k."""
    cdef Py_ssize_t m = a.shape[0], n_k = a.shape[1], n = b.shape[1]
    cdef Py_ssize_t across, down, first_k, first_j, depth, width, i, k, j
    cdef floating x
    cdef floating *sums
    cdef const floating *row
    out[:, :] = 0
    for across in range((n + WIDTH - 1) // WIDTH):
        first_j = across * WIDTH
        width = min(n - first_j, <Py_ssize_t>WIDTH)
        for down in range((n_k + DEPTH - 1) // DEPTH):
            first_k = down * DEPTH
            depth = min(n_k - first_k, <Py_ssize_t>DEPTH)
            for k in range(depth):
                for j in range(width):
                    block[k, j] = b[first_k + k, first_j + j]
            for i in range(m):
                sums = &out[i, first_j]
                for k in range(depth):
                    x, row = a[i, first_k + k], &block[k, 0]
                    for j in range(width):
                        sums[j] += x * row[j]


def multiply(floating[:, :, ::1] out, const floating[:, :, :] a, const floating[:, :, :] b,
             floating[:, ::1] block):
    """Set out[i] = a[i] @ b[i] for each i; `block` is working memory of the shape BLOCK."""
    cdef Py_ssize_t i
    with nogil:
        for i in range(out.shape[0]):
            multiply_matrix(out[i], a[i], b[i], block)
