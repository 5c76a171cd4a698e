"""The instruction set that the kernels use. It is chosen by CPU feature, and COOKBOOK_ISA pins a
lower one."""

from libc.stdlib cimport getenv
from libc.string cimport strcmp

cdef extern from *:
    """
    #if defined(__x86_64__)
    #define HAS(feature) (__builtin_cpu_supports(feature) != 0)
    #else
    #define HAS(feature) 0
    #endif
    #define HAS_AVX2 (HAS("avx2") && HAS("fma") && HAS("bmi2") && HAS("sse4.2") && HAS("pclmul"))
    #define HAS_AVX512 (HAS_AVX2 && HAS("avx512f") && HAS("avx512bw") && HAS("avx512vl") \\
                        && HAS("avx512dq"))
    """
    const bint HAS_AVX2, HAS_AVX512

cdef enum Isa:
    PORTABLE
    AVX2
    AVX512


cdef inline const char *isa_name(Isa isa) noexcept nogil:
    return b"avx512" if isa == AVX512 else b"avx2" if isa == AVX2 else b"portable"


cdef inline Isa chosen_isa() noexcept nogil:
    """Return the instruction set. This reads the environment, so a module calls it once, on import.
    """
    cdef const char *pinned = getenv("COOKBOOK_ISA")
    cdef Isa supported = AVX512 if HAS_AVX512 else AVX2 if HAS_AVX2 else PORTABLE
    if pinned == NULL:
        return supported
    if strcmp(pinned, "portable") == 0:
        return PORTABLE
    return AVX2 if strcmp(pinned, "avx2") == 0 and supported == AVX512 else supported
