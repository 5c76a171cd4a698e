/* varint_block.c: many varints at once.
 *
 * A varint ends with the first byte whose top bit is clear. Collected from 64 bytes, these bits
 * tell where every varint starts without decoding any, so that no step waits for the one before:
 *   1. take the 8 (or 4) bytes from each start on;
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

/* Without ends outside the run, and those behind the first `longest` bytes in a row that end
 * nothing. */
static ALWAYS_INLINE uint64_t usable(uint64_t ends, size_t size, int longest) {
  if (size < VARINT_BLOCK)
    ends &= (UINT64_C(1) << size) - 1;
  uint64_t rows = ~ends;
  for (int i = 1; i < longest; i *= 2)
    rows &= rows >> i;
  if (rows != 0) /* seldom: as a branch it is off the way from one block to the next */
    ends &= (rows & -rows) - 1;
  return read_once(ends);
}

static ALWAYS_INLINE size_t used_by(uint64_t ends) {
  return ends ? 64 - (size_t)__builtin_clzll(ends) : 0;
}

/* ---- without permutations ----------------------------------------------------------------- */

/* What is left of each lane, which starts with a varint: its groups, without the gaps. */
static ALWAYS_INLINE uint64_t squeeze64(uint64_t x) {
  uint64_t tops = ~x & TOPS;
  x &= (tops ^ (tops - 1)) & ~TOPS; /* up to the first clear top bit */
  x = (x & UINT64_C(0x007f007f007f007f)) | (x & UINT64_C(0x7f007f007f007f00)) >> 1;
  x = (x & UINT64_C(0x00003fff00003fff)) | (x & UINT64_C(0x3fff00003fff0000)) >> 2;
  return (x & UINT64_C(0x000000000fffffff)) | (x & UINT64_C(0x0fffffff00000000)) >> 4;
}

static ALWAYS_INLINE uint32_t squeeze32(uint32_t x) {
  uint32_t tops = ~x & (uint32_t)TOPS;
  x &= (tops ^ (tops - 1)) & ~(uint32_t)TOPS;
  x = (x & 0x007f007f) | (x & 0x7f007f00) >> 1;
  return (x & 0x00003fff) | (x & 0x3fff0000) >> 2;
}

static ALWAYS_INLINE size_t scalar64(const uint8_t *at, size_t size, uint64_t *values,
                                     size_t *used) {
  size_t n = 0, start = 0;
  for (uint64_t ends = usable(find_ends(at), size, 8); ends != 0; ends &= ends - 1) {
    values[n++] = load_le64(at + start);
    start = (size_t)__builtin_ctzll(ends) + 1;
  }
  for (size_t i = 0; i < n; i++)
    values[i] = squeeze64(values[i]);
  *used = start;
  return n;
}

static ALWAYS_INLINE size_t scalar32(const uint8_t *at, size_t size, uint32_t *values,
                                     size_t *used) {
  size_t n = 0, start = 0;
  for (uint64_t ends = usable(find_ends(at), size, 4); ends != 0; ends &= ends - 1) {
    values[n++] = load_le32(at + start);
    start = (size_t)__builtin_ctzll(ends) + 1;
  }
  for (size_t i = 0; i < n; i++)
    values[i] = squeeze32(values[i]);
  *used = start;
  return n;
}

static ALWAYS_INLINE size_t scalar16(const uint8_t *at, size_t size, uint16_t *values,
                                     size_t *used) {
  uint32_t wide[VARINT_BLOCK], all = 0;
  size_t n = scalar32(at, size, wide, used);
  for (size_t i = 0; i < n; i++) {
    values[i] = (uint16_t)wide[i];
    all |= wide[i];
  }
  return all > UINT16_MAX ? *used = 0 : n;
}

static size_t portable64(const uint8_t *at, size_t size, uint64_t *values, size_t *used) {
  return scalar64(at, size, values, used);
}

static size_t portable32(const uint8_t *at, size_t size, uint32_t *values, size_t *used) {
  return scalar32(at, size, values, used);
}

static size_t portable16(const uint8_t *at, size_t size, uint16_t *values, size_t *used) {
  return scalar16(at, size, values, used);
}

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,bmi,bmi2")))

static AVX2 size_t avx2_64(const uint8_t *at, size_t size, uint64_t *values, size_t *used) {
  return scalar64(at, size, values, used);
}

static AVX2 size_t avx2_32(const uint8_t *at, size_t size, uint32_t *values, size_t *used) {
  return scalar32(at, size, values, used);
}

static AVX2 size_t avx2_16(const uint8_t *at, size_t size, uint16_t *values, size_t *used) {
  return scalar16(at, size, values, used);
}

/* ---- with byte permutations --------------------------------------------------------------- */

#define AVX512                                                                                     \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt,"        \
                        "lzcnt")))

static const uint8_t counting[64] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

/* Lane by lane, the bytes from the starts number `first`, `first` + 1, ... on; 1 << `shift` each. */
static AVX512 ALWAYS_INLINE __m512i take(__m512i block, __m512i starts, int first, int shift) {
  __m512i numbers = _mm512_loadu_si512(counting);
  __m512i within = _mm512_and_si512(numbers, _mm512_set1_epi8((char)((1 << shift) - 1)));
  __m512i lane = _mm512_and_si512(_mm512_srli_epi64(numbers, (unsigned)shift),
                                  _mm512_set1_epi8((char)(63 >> shift)));
  __m512i from = _mm512_add_epi8(lane, _mm512_set1_epi8((char)first));
  from = _mm512_add_epi8(_mm512_permutexvar_epi8(from, starts), within);
  return _mm512_permutexvar_epi8(from, block);
}

/* Joins groups of 7 bits to 14 and these to 28, in every 4 bytes: as sums, for they do not meet. */
static AVX512 ALWAYS_INLINE __m512i join_groups(__m512i sevens) {
  __m512i fourteens = _mm512_maddubs_epi16(_mm512_set1_epi16((short)0x8001), sevens);
  return _mm512_madd_epi16(fourteens, _mm512_set1_epi32(0x40000001));
}

static AVX512 size_t avx512_64(const uint8_t *at, size_t size, uint64_t *values, size_t *used) {
  const __m512i tops = _mm512_set1_epi64((int64_t)TOPS);
  __m512i block = _mm512_loadu_si512(at);
  uint64_t ends = usable(~_mm512_movepi8_mask(block), size, 8);
  __m512i starts = _mm512_maskz_compress_epi8(ends << 1 | 1, _mm512_loadu_si512(counting));
  size_t n = (size_t)__builtin_popcountll(ends);
  for (size_t i = 0; i < n; i += 8) {
    __m512i groups = take(block, starts, (int)i, 3);
    __m512i stops = _mm512_andnot_si512(groups, tops);
    __m512i through = _mm512_xor_si512(stops, _mm512_sub_epi64(stops, _mm512_set1_epi64(1)));
    __m512i sevens = _mm512_andnot_si512(tops, _mm512_and_si512(groups, through));
    __m512i halves = join_groups(sevens);
    __m512i low = _mm512_and_si512(halves, _mm512_set1_epi64(0x0fffffff));
    __m512i high = _mm512_andnot_si512(_mm512_set1_epi64(0x0fffffff), _mm512_srli_epi64(halves, 4));
    _mm512_storeu_si512(values + i, _mm512_or_si512(low, high));
  }
  *used = used_by(ends);
  return n;
}

/* 16 varints of at most 4 bytes, from start number `first` on. */
static AVX512 ALWAYS_INLINE __m512i sixteen(__m512i block, __m512i starts, size_t first) {
  const __m512i tops = _mm512_set1_epi32((int32_t)TOPS);
  __m512i groups = take(block, starts, (int)first, 2);
  __m512i stops = _mm512_andnot_si512(groups, tops);
  __m512i through = _mm512_xor_si512(stops, _mm512_sub_epi32(stops, _mm512_set1_epi32(1)));
  return join_groups(_mm512_andnot_si512(tops, _mm512_and_si512(groups, through)));
}

static AVX512 size_t avx512_32(const uint8_t *at, size_t size, uint32_t *values, size_t *used) {
  __m512i block = _mm512_loadu_si512(at);
  uint64_t ends = usable(~_mm512_movepi8_mask(block), size, 4);
  __m512i starts = _mm512_maskz_compress_epi8(ends << 1 | 1, _mm512_loadu_si512(counting));
  size_t n = (size_t)__builtin_popcountll(ends);
  for (size_t i = 0; i < n; i += 16)
    _mm512_storeu_si512(values + i, sixteen(block, starts, i));
  *used = used_by(ends);
  return n;
}

static AVX512 size_t avx512_16(const uint8_t *at, size_t size, uint16_t *values, size_t *used) {
  __m512i block = _mm512_loadu_si512(at);
  uint64_t ends = usable(~_mm512_movepi8_mask(block), size, 4);
  __m512i starts = _mm512_maskz_compress_epi8(ends << 1 | 1, _mm512_loadu_si512(counting));
  size_t n = (size_t)__builtin_popcountll(ends);
  __mmask16 lost = 0;
  for (size_t i = 0; i < n; i += 16) {
    __mmask16 there = n - i < 16 ? (__mmask16)((1u << (n - i)) - 1) : (__mmask16)-1;
    __m512i wide = sixteen(block, starts, i);
    lost |= _mm512_mask_cmpgt_epu32_mask(there, wide, _mm512_set1_epi32(UINT16_MAX));
    _mm256_storeu_si256((__m256i *)(values + i), _mm512_cvtepi32_epi16(wide));
  }
  *used = lost ? 0 : used_by(ends);
  return lost ? 0 : n;
}
#endif

varint_blocks ck_choose_varint_blocks(void) {
#if defined(__x86_64__)
  if (ck_isa_level() >= CK_AVX512 && __builtin_cpu_supports("avx512vbmi") &&
      __builtin_cpu_supports("avx512vbmi2"))
    return (varint_blocks){avx512_64, avx512_32, avx512_16};
  if (ck_isa_level() >= CK_AVX2)
    return (varint_blocks){avx2_64, avx2_32, avx2_16};
#endif
  return (varint_blocks){portable64, portable32, portable16};
}
