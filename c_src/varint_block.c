/* varint_block.c: many varints at once.
 *
 * A varint ends with the first byte whose top bit is clear. Collected from 64 bytes, these bits
 * tell where every varint starts without decoding any, so that no step waits for the one before:
 *   1. take the 8 bytes from each start on;
 *   2. cut all of them down to their varints, in a loop without branches that becomes vector code.
 */
#include "varint_block.h"

#include "cpu.h"
#include "records_frame.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define TOPS UINT64_C(0x8080808080808080)

/* Bit i: byte i ends a varint. */
static ALWAYS_INLINE uint64_t find_ends(const uint8_t *at) {
  uint64_t ends = 0;
  for (int i = 0; i < VARINT_BLOCK; i += 8)
    ends |= ((~load_le64(at + i) & TOPS) * UINT64_C(0x0002040810204081) >> 56) << i;
  return ends;
}

/* Without ends outside the run, and those behind the first 8 bytes in a row that end nothing. */
static ALWAYS_INLINE uint64_t usable(uint64_t ends, size_t size) {
  if (size < VARINT_BLOCK)
    ends &= (UINT64_C(1) << size) - 1;
  uint64_t rows = ~ends;
  rows &= rows >> 1;
  rows &= rows >> 2;
  rows &= rows >> 4;
  return read_once(ends & ((rows & -rows) - 1));
}

typedef uint64_t lanes __attribute__((vector_size(64), aligned(8), may_alias));

/* Each lane starts with a varint: drops what follows it and closes the gaps between its groups. */
static ALWAYS_INLINE void squeeze(lanes *values) {
  lanes tops = ~*values & TOPS;
  lanes x = *values & (tops ^ (tops - 1)) & ~TOPS; /* up to the first clear top bit */
  x = (x & UINT64_C(0x007f007f007f007f)) | (x & UINT64_C(0x7f007f007f007f00)) >> 1;
  x = (x & UINT64_C(0x00003fff00003fff)) | (x & UINT64_C(0x3fff00003fff0000)) >> 2;
  x = (x & UINT64_C(0x000000000fffffff)) | (x & UINT64_C(0x0fffffff00000000)) >> 4;
  *values = x;
}

static ALWAYS_INLINE size_t scalar_block(const uint8_t *at, size_t size, uint64_t *values,
                                         size_t *used) {
  size_t n = 0, start = 0;
  for (uint64_t ends = usable(find_ends(at), size); ends != 0; ends &= ends - 1) {
    values[n++] = load_le64(at + start);
    start = (size_t)__builtin_ctzll(ends) + 1;
  }
  for (size_t i = 0; i < n; i += 8)
    squeeze((lanes *)(values + i));
  *used = start;
  return n;
}

static size_t portable_block(const uint8_t *at, size_t size, uint64_t *values, size_t *used) {
  return scalar_block(at, size, values, used);
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2,bmi,bmi2"))) static size_t avx2_block(const uint8_t *at, size_t size,
                                                                  uint64_t *values, size_t *used) {
  return scalar_block(at, size, values, used);
}

/* A byte permutation takes the 8 bytes of 8 starts at a time. */
__attribute__((
    target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt,lzcnt"))) static size_t
avx512_block(const uint8_t *at, size_t size, uint64_t *values, size_t *used) {
  static const uint8_t counting[64] = {
      0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
      22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
      44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
  const __m512i numbers = _mm512_loadu_si512(counting), seven = _mm512_set1_epi8(7);
  const __m512i lane_of_byte = _mm512_and_si512(_mm512_srli_epi64(numbers, 3), seven);
  const __m512i place_in_lane = _mm512_and_si512(numbers, seven);
  __m512i block = _mm512_loadu_si512(at);
  uint64_t ends = usable(~_mm512_movepi8_mask(block), size);
  __m512i starts = _mm512_maskz_compress_epi8(ends << 1 | 1, numbers);
  size_t n = (size_t)__builtin_popcountll(ends);
  for (size_t i = 0; i < n; i += 8) {
    __m512i lane = _mm512_add_epi8(lane_of_byte, _mm512_set1_epi8((char)i));
    __m512i from = _mm512_add_epi8(_mm512_permutexvar_epi8(lane, starts), place_in_lane);
    lanes groups = (lanes)_mm512_permutexvar_epi8(from, block);
    squeeze(&groups);
    _mm512_storeu_si512(values + i, (__m512i)groups);
  }
  *used = ends ? 64 - (size_t)__builtin_clzll(ends) : 0;
  return n;
}
#endif

varint_block *ck_choose_varint_block(void) {
#if defined(__x86_64__)
  if (ck_isa_level() >= CK_AVX512 && __builtin_cpu_supports("avx512vbmi") &&
      __builtin_cpu_supports("avx512vbmi2"))
    return avx512_block;
  if (ck_isa_level() >= CK_AVX2)
    return avx2_block;
#endif
  return portable_block;
}
