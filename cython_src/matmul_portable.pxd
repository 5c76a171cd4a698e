"""The microkernel for any machine with sixteen registers of 16 bytes. The tile is MR = 4 rows by NR
= 3 vectors."""

# These declarations are in C, because only in C can a type be a vector. Cython declares a
# vector as a number: it only passes values of these types on.
cdef extern from *:
    """
    typedef float f32_portable __attribute__((vector_size(16), aligned(4), may_alias));
    typedef double f64_portable __attribute__((vector_size(16), aligned(8), may_alias));
    static inline f32_portable fused_f32(float x, f32_portable y, f32_portable sum) {
      for (int i = 0; i < 4; i++)
        sum[i] = __builtin_fmaf(x, y[i], sum[i]); /* a call where there is no instruction */
      return sum;
    }
    static inline f64_portable fused_f64(double x, f64_portable y, f64_portable sum) {
      for (int i = 0; i < 2; i++)
        sum[i] = __builtin_fma(x, y[i], sum[i]);
      return sum;
    }
    #define fused_portable(x, y, sum) \\
      _Generic((y), f32_portable: fused_f32, f64_portable: fused_f64)(x, y, sum)
    """
    ctypedef float f32v "f32_portable"
    ctypedef double f64v "f64_portable"
    f64v fused "fused_portable"(double, f64v, f64v) nogil

cdef enum:
    MR = 4

include "matmul_tile.pxi"


cdef inline void f32_tile(
        const char *a, const char *b, char *out, Py_ssize_t stride, Py_ssize_t depth,
        int vectors) noexcept nogil:
    tile[f32v](a, <const f32v *>b, out, stride, depth, 4, vectors)


cdef inline void f64_tile(
        const char *a, const char *b, char *out, Py_ssize_t stride, Py_ssize_t depth,
        int vectors) noexcept nogil:
    tile[f64v](a, <const f64v *>b, out, stride, depth, 8, vectors)
