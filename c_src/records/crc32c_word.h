/* The CPU's instructions for CRC-32C. INSTRUCTION is defined if it has them. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t load64(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, 8);
  return word;
}

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#define SSE42 "sse4.2,crc32" /* gcc means crc32 too, and knows no such name before 11 */
#else
#define SSE42 "sse4.2"
#endif
#define INSTRUCTION __attribute__((target(SSE42 ",pclmul")))

static INSTRUCTION inline uint64_t add_word(uint64_t sum, uint64_t word) {
  return _mm_crc32_u64(sum, word);
}

static INSTRUCTION inline uint64_t add_byte(uint64_t sum, uint8_t byte) {
  return _mm_crc32_u8((uint32_t)sum, byte);
}

static INSTRUCTION inline uint64_t multiply(uint64_t x, uint64_t y) {
  __m128i left = _mm_cvtsi64_si128((int64_t)x), right = _mm_cvtsi64_si128((int64_t)y);
  return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(left, right, 0));
}
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include <arm_acle.h>
#include <arm_neon.h>

#define INSTRUCTION __attribute__((target("+crc+crypto")))

static INSTRUCTION inline uint64_t add_word(uint64_t sum, uint64_t word) {
  return __crc32cd((uint32_t)sum, word);
}

static INSTRUCTION inline uint64_t add_byte(uint64_t sum, uint8_t byte) {
  return __crc32cb((uint32_t)sum, byte);
}

static INSTRUCTION inline uint64_t multiply(uint64_t x, uint64_t y) {
  return (uint64_t)vmull_p64((poly64_t)x, (poly64_t)y);
}
#endif

#if defined(INSTRUCTION)
/* Return the CRC of `size` bytes, continued from `crc`. */
uint32_t ck_crc32c_words(uint32_t crc, const uint8_t *p, size_t size);
#endif

#if defined(__x86_64__)
/* The same with AVX-512, for at least 64 bytes. */
uint32_t ck_crc32c_fold(uint32_t crc, const uint8_t *p, size_t size);
#endif
