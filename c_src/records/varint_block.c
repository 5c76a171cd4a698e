/* Decoding of many varints at once: portable, with AVX2, and with the byte permutations of AVX-512.
 *
 * A varint ends with the first byte whose top bit is clear. Collected from 64 bytes, the top bits
 * say where every varint starts, before any is decoded. So no step waits for the one before:
 *   1. load the 8 (or 4) bytes from each start on;
 *   2. cut all of them down to their varints, in a loop without branches that becomes vector code.
 *
 *     bytes    05 | ac 02 | 07 | ff ff 03 | ..      the varints 5, 300, 7, 65535
 *     tops      0    1  0    0    1  1  0
 *     ends      1    0  1    1    0  0  1           bit i of `ends`: byte i ends a varint
 *     starts    0    1       3    4                 each follows an end */
#include "varint_block.h"

#include "common/cpu.h"
#include "frame.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define TOPS UINT64_C(0x8080808080808080)

/* Return a mask in which bit i is set if byte i of 64 ends a varint. The multiplication collects
 * the top bits of eight bytes in the highest byte of the product. */
static ALWAYS_INLINE uint64_t find_ends(const uint8_t *at) {
  uint64_t ends = 0;
  for (int i = 0; i < VARINT_BLOCK; i += 8)
    ends |= ((~load_le64(at + i) & TOPS) * UINT64_C(0x0002040810204081) >> 56) << i;
  return ends;
}

/* Return `ends` without the bits outside the run, and without the bits after the first `longest`
 * bytes in a row that end no varint. */
static ALWAYS_INLINE uint64_t usable(uint64_t ends, size_t size, int longest) {
  if (size < VARINT_BLOCK)
    ends &= (UINT64_C(1) << size) - 1;
  uint64_t rows = ~ends;
  for (int i = 1; i < longest; i *= 2)
    rows &= rows >> i;
  if (rows != 0) /* seldom; a branch keeps it off the chain from one block to the next */
    ends &= (rows & -rows) - 1;
  return read_once(ends);
}

/* ---- without byte permutations ------------------------------------------------------------ */

enum { BLOCK_READS = VARINT_BLOCK + 8 };

/* Return the varint with which the lane begins, its groups of 7 bits joined to groups of
 * 14, of 28 and of 56:
 *
 *     ..  0aaaaaaa 0bbbbbbb  ->  00aaaaaa abbbbbbb  ->  28 bits  ->  56 bits */
static ALWAYS_INLINE uint64_t squeeze64(uint64_t x) {
  uint64_t tops = ~x & TOPS;
  x &= (tops ^ (tops - 1)) & ~TOPS; /* keep the bytes up to the first clear top bit */
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

/* Decode block after block; each begins where the varints of the block before it end. */
#define RUN(name, target, bits)                                                                    \
  target static varints_taken name(const uint8_t *at, size_t size, size_t readable,                \
                                   uint##bits##_t *values, int64_t room) {                         \
    varints_taken all = {0, 0};                                                                    \
    size_t used = 1;                                                                               \
    while (used > 0 && all.bytes < size && readable - all.bytes >= BLOCK_READS &&                  \
           room - all.values >= VARINT_BLOCK) {                                                    \
      const uint8_t *next = at + all.bytes;                                                        \
      all.values += (int64_t)scalar##bits(next, size - all.bytes, values + all.values, &used);     \
      all.bytes += used;                                                                           \
    }                                                                                              \
    return all;                                                                                    \
  }

RUN(portable64, , 64)
RUN(portable32, , 32)
RUN(portable16, , 16)

#if defined(__x86_64__)
#include <immintrin.h>

static ALWAYS_INLINE size_t used_by(uint64_t ends) {
  return ends ? 64 - (size_t)__builtin_clzll(ends) : 0;
}

#define AVX2 __attribute__((target("avx2,bmi,bmi2")))

RUN(avx2_64, AVX2, 64)
RUN(avx2_32, AVX2, 32)
RUN(avx2_16, AVX2, 16)

/* ---- AVX-512: with byte permutations ------------------------------------------------------- */

#define AVX512                                                                                     \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt,"        \
                        "lzcnt")))

static const uint8_t counting[64] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

/* Return one lane of 1 << `shift` bytes for each varint from number `first` on: the bytes from its
 * start on.
 *
 *     block   05 ac 02 07 ff ff 03 ..      starts  0 1 3 4 ..
 *     take    05 ac 02 07 | ac 02 07 ff | 07 ff ff 03 | ff ff 03 ..       (shift 2: 4 bytes) */
static AVX512 ALWAYS_INLINE __m512i take(__m512i block, __m512i starts, int first, int shift) {
  __m512i numbers = _mm512_loadu_si512(counting);
  __m512i within = _mm512_and_si512(numbers, _mm512_set1_epi8((char)((1 << shift) - 1)));
  __m512i lane = _mm512_and_si512(_mm512_srli_epi64(numbers, (unsigned)shift),
                                  _mm512_set1_epi8((char)(63 >> shift)));
  __m512i from = _mm512_add_epi8(lane, _mm512_set1_epi8((char)first));
  from = _mm512_add_epi8(_mm512_permutexvar_epi8(from, starts), within);
  return _mm512_permutexvar_epi8(from, block);
}

/* Join groups of 7 bits to 14 and these to 28, in every 4 bytes. The groups do not overlap, so they
 * are joined by a multiplication and a sum: low * 1 + high * 2^7, then * 2^14. */
static AVX512 ALWAYS_INLINE __m512i join_groups(__m512i sevens) {
  __m512i fourteens = _mm512_maddubs_epi16(_mm512_set1_epi16((short)0x8001), sevens);
  return _mm512_madd_epi16(fourteens, _mm512_set1_epi32(0x40000001));
}

/* Return 8 varints of at most 8 bytes, from start number `first` on. */
static AVX512 ALWAYS_INLINE __m512i eight(__m512i block, __m512i starts, int first) {
  const __m512i tops = _mm512_set1_epi64((int64_t)TOPS), low = _mm512_set1_epi64(0x0fffffff);
  __m512i groups = take(block, starts, first, 3);
  __m512i stops = _mm512_andnot_si512(groups, tops);
  __m512i through = _mm512_xor_si512(stops, _mm512_sub_epi64(stops, _mm512_set1_epi64(1)));
  __m512i halves = join_groups(_mm512_andnot_si512(tops, _mm512_and_si512(groups, through)));
  __m512i high = _mm512_andnot_si512(low, _mm512_srli_epi64(halves, 4));
  return _mm512_or_si512(_mm512_and_si512(halves, low), high);
}

/* Return 16 varints of at most 4 bytes, from start number `first` on. */
static AVX512 ALWAYS_INLINE __m512i sixteen(__m512i block, __m512i starts, int first) {
  const __m512i tops = _mm512_set1_epi32((int32_t)TOPS);
  __m512i groups = take(block, starts, first, 2);
  __m512i stops = _mm512_andnot_si512(groups, tops);
  __m512i through = _mm512_xor_si512(stops, _mm512_sub_epi32(stops, _mm512_set1_epi32(1)));
  return join_groups(_mm512_andnot_si512(tops, _mm512_and_si512(groups, through)));
}

/* A function of its own, so that its constants are loaded only if there are such values. */
static AVX512 __attribute__((noinline)) void store_long(uint8_t *values, __m512i block,
                                                        __m512i starts, int n) {
  for (int i = 0; i < n; i += 8)
    _mm512_storeu_si512(values + 8 * i, eight(block, starts, i));
}

/* Store `n` values of `bytes` each. Return false if one of them does not fit. `narrow` says that
 * each has at most 4 bytes in the input. Two groups of 16 are always stored, because a branch on
 * their number would be mispredicted. */
static AVX512 ALWAYS_INLINE bool store_values(uint8_t *values, __m512i block, __m512i starts, int n,
                                              int bytes, bool narrow) {
  __mmask16 lost = 0;
  for (int i = 0; narrow && i < n; i += 32)
    for (int j = i; j < i + 32; j += 16) {
      __m512i some = sixteen(block, starts, j);
      __m512i *to = (__m512i *)(values + j * bytes);
      if (bytes == 4) {
        _mm512_storeu_si512(to, some);
      } else if (bytes == 8) {
        __m256i rest = _mm512_extracti64x4_epi64(some, 1);
        _mm512_storeu_si512(to, _mm512_cvtepu32_epi64(_mm512_castsi512_si256(some)));
        _mm512_storeu_si512(to + 1, _mm512_cvtepu32_epi64(rest));
      } else {
        int left = n - j;
        __mmask16 there = left < 16 ? left > 0 ? (__mmask16)((1u << left) - 1) : 0 : (__mmask16)-1;
        lost |= _mm512_mask_cmpgt_epu32_mask(there, some, _mm512_set1_epi32(UINT16_MAX));
        _mm256_storeu_si256((__m256i *)to, _mm512_cvtepi32_epi16(some));
      }
    }
  if (!narrow)
    store_long(values, block, starts, n);
  return lost == 0;
}

/* Decode windows of 64 bytes, whose places do not depend on where varints end, so that the CPU can
 * work on several at once. Neighbouring windows share as many bytes as the longest varint here: a
 * varint that is cut by the end of a window lies wholly in the next.
 *
 *     window 0   |................................ssss|
 *     window 1                                   |ssss................................ssss|
 *
 *     s: shared bytes. `fresh` has the bits of the others, so that no varint is counted twice. */
static AVX512 ALWAYS_INLINE varints_taken windows(const uint8_t *at, size_t size, uint8_t *values,
                                                  int64_t room, int bytes) {
  const int shared = bytes == 8 ? 8 : 4;
  uint64_t fresh = ~UINT64_C(0); /* bytes that were not in the window before */
  varints_taken all = {0, 0};
  for (size_t from = 0; room - all.values >= VARINT_BLOCK; from += 64 - (size_t)shared) {
    size_t left = size - from;
    uint64_t there = left < 64 ? (UINT64_C(1) << left) - 1 : ~UINT64_C(0);
    __m512i block = _mm512_maskz_loadu_epi8(there, at + from);
    uint64_t more = _mm512_movepi8_mask(block), ends = ~more & there;
    uint64_t four = more & more >> 1 & more >> 2 & more >> 3;
    uint64_t too_long = bytes == 8 ? four & four >> 4 : four;
    if (too_long != 0)
      ends &= (too_long & -too_long) - 1;
    ends = read_once(ends);
    uint64_t begins = (ends << 1 | 1) & ~UINT64_C(0) << (used_by(ends & ~fresh) & 63);
    __m512i starts = _mm512_maskz_compress_epi8(begins, _mm512_loadu_si512(counting));
    int found = (int)__builtin_popcountll(ends & fresh);
    if (!store_values(values + all.values * bytes, block, starts, found, bytes,
                      bytes < 8 || four == 0))
      break;
    all.values += found;
    all.bytes = from + used_by(ends);
    if (too_long != 0 || left <= 64)
      break;
    fresh = ~UINT64_C(0) << shared;
  }
  return all;
}

#define WINDOWS(name, bits)                                                                        \
  static AVX512 varints_taken name(const uint8_t *at, size_t size, size_t readable,                \
                                   uint##bits##_t *values, int64_t room) {                         \
    (void)readable;                                                                                \
    return windows(at, size, (uint8_t *)values, room, bits / 8);                                   \
  }

WINDOWS(avx512_64, 64)
WINDOWS(avx512_32, 32)
WINDOWS(avx512_16, 16)
#endif

varint_runs ck_choose_varint_runs(void) {
#if defined(__x86_64__)
  if (ck_isa_level() >= CK_AVX512 && __builtin_cpu_supports("avx512vbmi") &&
      __builtin_cpu_supports("avx512vbmi2"))
    return (varint_runs){avx512_64, avx512_32, avx512_16};
  if (ck_isa_level() >= CK_AVX2)
    return (varint_runs){avx2_64, avx2_32, avx2_16};
#endif
  return (varint_runs){portable64, portable32, portable16};
}
