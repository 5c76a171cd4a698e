"""matmul's tile for any machine with sixteen registers of 16 bytes."""

# In C, because only there can a type be a vector. All that Cython has to know of the types is that
# they are numbers.
cdef extern from *:
    """
    typedef float f32_portable __attribute__((vector_size(16), aligned(4), may_alias));
    typedef double f64_portable __attribute__((vector_size(16), aligned(8), may_alias));
    """
    ctypedef float f32v "f32_portable"
    ctypedef double f64v "f64_portable"

cdef enum:
    ROWS = 4

include "matmul_tile.pxi"


cdef inline void f32_tile(
        const char *a, const char *b, char *out, Py_ssize_t stride, Py_ssize_t depth,
        int vectors) noexcept nogil:
    tile[f32v](a, <const f32v *>b, out, stride, depth, 4, vectors)


cdef inline void f64_tile(
        const char *a, const char *b, char *out, Py_ssize_t stride, Py_ssize_t depth,
        int vectors) noexcept nogil:
    tile[f64v](a, <const f64v *>b, out, stride, depth, 8, vectors)
