# A tile of `out`, ROWS by VECTORS vectors, that stays in registers while it runs along k. A template:
# matmul_<isa>.pxd defines ROWS and the types f32v and f64v, then includes this file.

cdef extern from *:
    """
    #define first_lane(vector) ((vector)[0])
    """
    double first_lane(double) nogil

ctypedef fused vector:
    f32v
    f64v

cdef enum:
    VECTORS = 3


cdef inline void tile(const char *a, const vector *b, char *out, Py_ssize_t stride, Py_ssize_t depth,
                      Py_ssize_t itemsize) noexcept nogil:
    cdef vector[ROWS][VECTORS] sums
    cdef vector[VECTORS] b_row
    cdef const vector *at
    cdef Py_ssize_t k
    cdef int r, v
    for r in range(ROWS):
        for v in range(VECTORS):
            sums[r][v] = (<vector *>(out + r * stride))[v]
    for k in range(depth):
        for v in range(VECTORS):
            b_row[v] = b[k * VECTORS + v]
        for r in range(ROWS):
            at = <const vector *>(a + (k * ROWS + r) * itemsize)
            for v in range(VECTORS):
                sums[r][v] += first_lane(at[0]) * b_row[v]
    for r in range(ROWS):
        for v in range(VECTORS):
            (<vector *>(out + r * stride))[v] = sums[r][v]
