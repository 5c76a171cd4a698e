# The microkernel: a tile of `out`, MR rows by up to three vectors (NR), stays in registers while
# k runs.
#
#                        b   [ b0 ][ b1 ][ b2 ]      one row of a B panel
#        a   | a0 |         [s00][s01][s02]
#            | a1 |  ->     [s10][s11][s12]          MR x NR sums, all in registers;
#            | .. |         [ .. ]                   s[r][v] = a[r] * b[v] + s[r][v], for each k
#
# This is a template: matmul_<isa>.pxd defines MR, the types f32v and f64v, and fused(x, y, sum),
# which is x * y + sum rounded once; then it includes this file.

cdef extern from *:
    """
    #define first_lane(vector) ((vector)[0])
    """
    double first_lane(double) nogil

ctypedef fused vector:
    f32v
    f64v


cdef inline void add_products(const char *a, const vector *b, char *out, Py_ssize_t stride,
                              Py_ssize_t depth, Py_ssize_t itemsize, int vectors) noexcept nogil:
    """Add the products to one tile. It is inlined with `vectors` constant, so that the loops over r
    and v are unrolled."""
    cdef vector[MR][3] sums
    cdef vector[3] b_row
    cdef const vector *at
    cdef Py_ssize_t k
    cdef int r, v
    for r in range(MR):
        for v in range(vectors):
            sums[r][v] = (<vector *>(out + r * stride))[v]
    for k in range(depth):
        for v in range(vectors):
            b_row[v] = b[k * vectors + v]
        for r in range(MR):
            at = <const vector *>(a + (k * MR + r) * itemsize)
            for v in range(vectors):
                sums[r][v] = fused(first_lane(at[0]), b_row[v], sums[r][v])
    for r in range(MR):
        for v in range(vectors):
            (<vector *>(out + r * stride))[v] = sums[r][v]


cdef inline void tile(const char *a, const vector *b, char *out, Py_ssize_t stride,
                      Py_ssize_t depth, Py_ssize_t itemsize, int vectors) noexcept nogil:
    if vectors == 3:
        add_products[vector](a, b, out, stride, depth, itemsize, 3)
    elif vectors == 2:
        add_products[vector](a, b, out, stride, depth, itemsize, 2)
    else:
        add_products[vector](a, b, out, stride, depth, itemsize, 1)
