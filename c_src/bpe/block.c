/* block.c: look up a whole block of pretokens in the cache.
 *
 * A first pass prefetches the lines that a second pass reads. Neither has a branch that depends on
 * the sizes of pretokens, which are unpredictable.
 */
#include "common/cpu.h"
#include "common/target.h"
#include "encode.h"

/* ---- keys ---- */

static bpe_key key_of(const uint8_t *text, size_t at, size_t end, size_t size) {
  if (end - at > BPE_SHORT)
    return bpe_long_key(text + at, end - at);
  if (size - at >= 16)
    return bpe_short_key(text + at, end - at);
  uint8_t padded[16] = {0};
  memcpy(padded, text + at, end - at);
  return bpe_short_key(padded, end - at);
}

static inline void find_line(const bpe_scratch *scratch, bpe_block *b, size_t i, size_t bits) {
  b->lines[i] = (uint32_t)(bpe_line_of(b->keys[i], bits) * sizeof(bpe_line));
  __builtin_prefetch((const uint8_t *)scratch->lines + b->lines[i]);
}

static void portable_look_ahead(const bpe_scratch *scratch, bpe_block *b, size_t i,
                                const uint8_t *text, size_t size) {
  size_t bits = bpe_cache_bits(scratch);
  for (; i < b->n; i++) {
    b->keys[i] = key_of(text, b->bounds[i], b->bounds[i + 1], size);
    find_line(scratch, b, i, bits);
  }
}

/* ---- ids ---- */

/* Copy the ids of pretoken i, whose entry is `cached`, and return their number, or 0. */
static inline size_t copy_ids(const bpe_scratch *scratch, const bpe_block *b, size_t i,
                              const uint8_t *text, const bpe_cached *cached, uint32_t *out) {
  memcpy(out, cached, sizeof *cached);
  if (__builtin_expect(cached->n <= BPE_FEW_IDS, 1))
    return cached->n;
  if (cached->n <= BPE_SHORT) { /* the pretoken is short */
    const uint32_t *overflow = bpe_overflow(scratch, cached);
    if (overflow)
      memcpy(out, overflow, BPE_SHORT * sizeof *out);
    return overflow ? cached->n : 0;
  }
  if ((cached->n & ~(uint32_t)BPE_LONG) > BPE_SHORT)
    return 0;
  return bpe_overflow_ids(scratch, cached, text + b->bounds[i], b->bounds[i + 1] - b->bounds[i],
                          out);
}

static const bpe_cached *portable_find(const bpe_line *line, const bpe_key *key) {
  size_t second = !bpe_same(line->keys[0], *key);
  return bpe_same(line->keys[second], *key) ? &line->of[second] : NULL;
}

/* find(line, key) returns the entry of the key, or NULL. */
#define TAKE(name, find)                                                                           \
  static size_t name(const bpe_scratch *scratch, const bpe_block *b, const uint8_t *text,          \
                     size_t i, size_t end, uint32_t **ids) {                                       \
    uint32_t *out = *ids;                                                                          \
    for (; i < end; i++) {                                                                         \
      const uint8_t *lines = (const uint8_t *)scratch->lines;                                      \
      const bpe_cached *cached = find((const void *)(lines + b->lines[i]), &b->keys[i]);           \
      if (__builtin_expect(cached == NULL, 0))                                                     \
        cached = find((const void *)(lines + (b->lines[i] ^ sizeof(bpe_line))), &b->keys[i]);      \
      size_t n = cached ? copy_ids(scratch, b, i, text, cached, out) : 0;                          \
      if (n == 0)                                                                                  \
        break;                                                                                     \
      out += n;                                                                                    \
    }                                                                                              \
    *ids = out;                                                                                    \
    return i;                                                                                      \
  }

TAKE(portable_take, portable_find)

#if defined(__x86_64__)
#include <immintrin.h>

TARGET_BEGIN("avx2")

static inline const bpe_cached *avx2_find(const bpe_line *line, const bpe_key *key) {
  /* The offset of the matching entry, indexed by the mask of a line's four words that equal the
   * key's; 0 if no entry matches. */
  enum { FIRST = 32, SECOND = 48 };
  static const uint8_t entry[16] = {0, 0, 0, FIRST, 0,      0,      0,      FIRST,
                                    0, 0, 0, FIRST, SECOND, SECOND, SECOND, FIRST};
  __m256i twice = _mm256_broadcastsi128_si256(_mm_load_si128((const __m128i *)key));
  __m256i same = _mm256_cmpeq_epi64(twice, _mm256_load_si256((const __m256i *)line));
  size_t at = entry[_mm256_movemask_pd(_mm256_castsi256_pd(same))];
  return at ? (const void *)((const uint8_t *)line + at) : NULL;
}

TAKE(avx2_take, avx2_find)

TARGET_END
TARGET_BEGIN("avx512f,avx512bw,avx512vl,avx512dq")

/* Load the 16 bytes at each of four offsets. */
static inline __m512i four_at(const uint8_t *text, const size_t *at) {
#define LOAD(i) _mm_loadu_si128((const __m128i *)(text + at[i]))
  __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(LOAD(0)), LOAD(1), 1);
  __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(LOAD(2)), LOAD(3), 1);
#undef LOAD
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

enum { FEW_PRETOKENS = 3 }; /* fewer pretokens than repay the use of a register */

/* Prepare eight pretokens at a time, as long as 16 bytes are readable at each. The last of the
 * eight may be empty. */
static void avx512_look_ahead(const bpe_scratch *scratch, bpe_block *b, const uint8_t *text,
                              size_t size) {
  const __m512i both[2] = {_mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3),
                           _mm512_setr_epi64(4, 4, 5, 5, 6, 6, 7, 7)};
  const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
  const __m512i ones = _mm512_set1_epi64(-1);
  const __m512i full = _mm512_broadcast_i64x2(_mm_set_epi64x(128, 64));
  const __m512i factors =
      _mm512_broadcast_i64x2(_mm_set_epi64x((long long)BPE_K2, (long long)BPE_K1));
  const __m128i shift = _mm_cvtsi64_si128((long long)(63 - bpe_cache_bits(scratch)));
  size_t i = 0;
  _mm512_storeu_si512(b->bounds + b->n + 1, _mm512_set1_epi64((long long)b->bounds[b->n]));
  for (; i + FEW_PRETOKENS < b->n && size - b->bounds[i + 7] >= 16; i += 8) {
    __m512i sizes =
        _mm512_sub_epi64(_mm512_loadu_si512(b->bounds + i + 1), _mm512_loadu_si512(b->bounds + i));
    __mmask8 longs = _mm512_cmpgt_epu64_mask(sizes, _mm512_set1_epi64(BPE_SHORT));
    __m512i hashes[2];
    for (size_t half = 0; half < 2; half++) {
      __m512i of = _mm512_permutexvar_epi64(both[half], sizes);
      __m512i unused = _mm512_subs_epu16(full, _mm512_slli_epi64(of, 3));
      __m512i key = _mm512_and_si512(four_at(text, b->bounds + i + 4 * half),
                                     _mm512_srlv_epi64(ones, unused));
      key = _mm512_or_si512(key, _mm512_maskz_slli_epi64(0xAA, of, 56));
      _mm512_storeu_si512(b->keys + i + 4 * half, key);
      hashes[half] = _mm512_mullo_epi64(key, factors);
      hashes[half] = _mm512_add_epi64(hashes[half], _mm512_shuffle_epi32(hashes[half], 0x4E));
    }
    __m512i hash = _mm512_permutex2var_epi64(hashes[0], even, hashes[1]);
    __m512i lines = _mm512_slli_epi64(_mm512_srl_epi64(hash, shift), 6);
    _mm256_storeu_si256((__m256i *)(b->lines + i), _mm512_cvtepi64_epi32(lines));
    for (size_t k = 0; k < 8; k++)
      __builtin_prefetch((const uint8_t *)scratch->lines + b->lines[i + k]);
    for (unsigned rest = longs; rest; rest &= rest - 1) {
      size_t k = i + (size_t)__builtin_ctz(rest);
      b->keys[k] = key_of(text, b->bounds[k], b->bounds[k + 1], size);
      find_line(scratch, b, k, bpe_cache_bits(scratch));
    }
  }
  portable_look_ahead(scratch, b, i, text, size);
}

TARGET_END
#endif

void bpe_look_ahead(const bpe_scratch *scratch, bpe_block *block, const uint8_t *text,
                    size_t size) {
  for (size_t i = 0; scratch == NULL && i < block->n; i++)
    block->keys[i] = key_of(text, block->bounds[i], block->bounds[i + 1], size);
  if (scratch == NULL)
    return;
#if defined(__x86_64__)
  if (ck_isa_level() == CK_AVX512)
    return avx512_look_ahead(scratch, block, text, size);
#endif
  portable_look_ahead(scratch, block, 0, text, size);
}

size_t bpe_take(const bpe_scratch *scratch, const bpe_block *block, const uint8_t *text,
                size_t first, size_t end, uint32_t **ids) {
  if (scratch == NULL)
    return first;
#if defined(__x86_64__)
  if (ck_isa_level() >= CK_AVX2)
    return avx2_take(scratch, block, text, first, end, ids);
#endif
  return portable_take(scratch, block, text, first, end, ids);
}
