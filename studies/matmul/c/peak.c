// The peak rate of float32 multiply-adds on one core, from chains that do not wait for each other.
#include <stddef.h>

#define PEAK(name, target, bytes, chains)                                                          \
  target static size_t name(size_t rounds, float *out) {                                           \
    typedef float vector __attribute__((vector_size(bytes)));                                      \
    vector sums[chains], factor, term;                                                             \
    for (size_t i = 0; i < bytes / sizeof(float); i++)                                             \
      factor[i] = 0.999f, term[i] = 0.001f;                                                        \
    for (size_t chain = 0; chain < chains; chain++)                                                \
      sums[chain] = term * (float)chain;                                                           \
    for (size_t round = 0; round < rounds; round++)                                                \
      _Pragma("GCC unroll 32") for (size_t chain = 0; chain < chains; chain++) sums[chain] =       \
          sums[chain] * factor + term;                                                             \
    for (size_t chain = 0; chain < chains; chain++)                                                \
      *out += sums[chain][0];                                                                      \
    return rounds * chains * 2 * (bytes / sizeof(float));                                          \
  }

#ifdef __x86_64__
PEAK(peak_avx512, __attribute__((target("avx512f"))), 64, 24)
PEAK(peak_avx2, __attribute__((target("avx2,fma"))), 32, 12)
PEAK(peak_baseline, , 16, 12) // of 16 registers
#else
PEAK(peak_baseline, , 16, 24) // fills four pipes of a latency of four
#endif

// Do some work and return the number of floating-point operations.
size_t peak(size_t rounds, float *out) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return peak_avx512(rounds, out);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return peak_avx2(rounds, out);
#endif
  return peak_baseline(rounds, out);
}
