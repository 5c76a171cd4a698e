"""The microkernel for AVX2 and FMA. The tile is MR = 4 rows by NR = 3 vectors: 12 sums, 3 vectors
of b and one of a, of 16 registers."""

# These declarations are in C, because only in C can a type be a vector, and only there can a
# function have a target and be flattened (every call in it inlined). Cython declares a vector
# as a number: it only passes values of these types on.
cdef extern from *:
    """
    #define fused_avx2(x, y, sum) ((x) * (y) + (sum)) /* contracted: there is an instruction */
    typedef float f32_avx2 __attribute__((vector_size(32), aligned(4), may_alias));
    typedef double f64_avx2 __attribute__((vector_size(32), aligned(8), may_alias));
    #if defined(__x86_64__)
    #define AVX2 __attribute__((target("avx2,fma"), flatten))
    #else
    #define AVX2
    #endif
    static AVX2 void f32_tile_avx2(const char *, const char *, char *, Py_ssize_t,
                                  Py_ssize_t, int);
    static AVX2 void f64_tile_avx2(const char *, const char *, char *, Py_ssize_t,
                                  Py_ssize_t, int);
    """
    ctypedef float f32v "f32_avx2"
    ctypedef double f64v "f64_avx2"
    f64v fused "fused_avx2"(double, f64v, f64v) nogil

cdef enum:
    MR = 4

include "matmul_tile.pxi"


cdef inline void f32_tile "f32_tile_avx2"(
        const char *a, const char *b, char *out, Py_ssize_t stride, Py_ssize_t depth,
        int vectors) noexcept nogil:
    tile[f32v](a, <const f32v *>b, out, stride, depth, 4, vectors)


cdef inline void f64_tile "f64_tile_avx2"(
        const char *a, const char *b, char *out, Py_ssize_t stride, Py_ssize_t depth,
        int vectors) noexcept nogil:
    tile[f64v](a, <const f64v *>b, out, stride, depth, 8, vectors)
