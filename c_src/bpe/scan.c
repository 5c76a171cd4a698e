/* scan.c: the pretokens of a text, a window at a time if the machine has wide registers.
 *
 * Only the classes of ASCII depend on the instruction set; everything else is window.h, compiled
 * for each.
 */
#include "common/cpu.h"
#include "common/target.h"
#include "window.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* Fill `ends` with as many pretokens as fit, but at least one; `at` is before the end. The ends of
 * one window are written while the next one, which begins at the last of them, is computed. */
#define SCAN(name, classify, pattern)                                                              \
  static size_t name(const source *s, size_t at, size_t *ends, size_t capacity) {                  \
    size_t n = 0;                                                                                  \
    uint64_t found = window_ends(s, at, classify(s->text + at, s->end - at), pattern);             \
    for (;;) {                                                                                     \
      uint64_t now = found;                                                                        \
      size_t start = at, count = (size_t)__builtin_popcountll(now);                                \
      if (__builtin_expect(count == 0, 0))                                                         \
        ends[n++] = at = bpe_pretoken(s, at);                                                      \
      else                                                                                         \
        at += highest(now);                                                                        \
      int more = at < s->end && n + count + WINDOW <= capacity;                                    \
      if (more)                                                                                    \
        found = window_ends(s, at, classify(s->text + at, s->end - at), pattern);                  \
      for (size_t i = 0; i < count; i += 8)                                                        \
        write_8(ends + n + i, start, &now);                                                        \
      n += count;                                                                                  \
      if (!more)                                                                                   \
        return n;                                                                                  \
    }                                                                                              \
  }

/* Write the lowest 8 of a window's ends, without a branch on their number; unused ones are
 * arbitrary. */
static ALWAYS_INLINE void write_8(size_t *ends, size_t start, uint64_t *found) {
  for (size_t i = 0; i < 8; i++, *found &= *found - 1)
    ends[i] = start + (size_t)__builtin_ctzll(*found | (uint64_t)1 << 63);
}

TARGET_BEGIN("avx2,bmi,bmi2,popcnt,lzcnt")

static ALWAYS_INLINE uint64_t bytes_in(__m256i low, __m256i high) {
  return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

/* Compare each byte with [from, from + count). */
static ALWAYS_INLINE __m256i in_range(__m256i bytes, int from, int count) {
  __m256i above = _mm256_sub_epi8(bytes, _mm256_set1_epi8((char)from));
  return _mm256_cmpeq_epi8(_mm256_min_epu8(above, _mm256_set1_epi8((char)(count - 1))), above);
}

static ALWAYS_INLINE window_sets avx2_sets(const uint8_t *text, size_t left) {
  uint8_t copy[WINDOW] = {0};
  if (left < WINDOW)
    text = memcpy(copy, text, left);
  __m256i a = _mm256_loadu_si256((const __m256i *)text);
  __m256i b = _mm256_loadu_si256((const __m256i *)(text + 32));
#define SET(from, count) bytes_in(in_range(a, from, count), in_range(b, from, count))
  window_sets sets = {
      .upper = SET('A', 26),
      .lower = SET('a', 26),
      .number = SET('0', 10),
      .blank = SET(' ', 1),
      .newline = SET('\n', 1) | SET('\r', 1),
      .slash = SET('/', 1),
      .quote = SET('\'', 1),
      .high = bytes_in(a, b),
      .inner = SET(0x80, 0x40),
  };
  sets.white = sets.blank | SET('\t', 5);
#undef SET
  return sets;
}

SCAN(avx2_gpt2, avx2_sets, 1)
SCAN(avx2_cl100k, avx2_sets, 2)
SCAN(avx2_o200k, avx2_sets, 3)

TARGET_END
TARGET_BEGIN("avx512f,avx512bw,avx512vl,avx512dq,bmi,bmi2,popcnt,lzcnt")

static ALWAYS_INLINE window_sets avx512_sets(const uint8_t *text, size_t left) {
  __m512i v = _mm512_maskz_loadu_epi8(first_bits(left), text);
#define SET(from, count)                                                                           \
  _mm512_cmple_epu8_mask(_mm512_sub_epi8(v, _mm512_set1_epi8((char)(from))),                       \
                         _mm512_set1_epi8((count) - 1))
#define EQUAL(c) _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c))
  window_sets sets = {
      .upper = SET('A', 26),
      .lower = SET('a', 26),
      .number = SET('0', 10),
      .blank = EQUAL(' '),
      .newline = EQUAL('\n') | EQUAL('\r'),
      .slash = EQUAL('/'),
      .quote = EQUAL('\''),
      .high = _mm512_movepi8_mask(v),
      .inner = SET(0x80, 0x40),
  };
  sets.white = sets.blank | SET('\t', 5);
#undef SET
#undef EQUAL
  return sets;
}

SCAN(avx512_gpt2, avx512_sets, 1)
SCAN(avx512_cl100k, avx512_sets, 2)
SCAN(avx512_o200k, avx512_sets, 3)

TARGET_END
#endif

static size_t portable_scan(const source *s, size_t at, size_t *ends, size_t capacity) {
  size_t n = 0;
  for (; n < capacity && at < s->end; n++)
    ends[n] = at = s->model->n_states ? bpe_automaton(s, at) : bpe_pretoken(s, at);
  return n;
}

size_t bpe_pretokens(const bpe_model *model, const uint8_t *text, size_t at, size_t end,
                     size_t *ends, size_t capacity) {
  source s = source_of(model, text, end);
#if defined(__x86_64__)
  int level = s.plain ? ck_isa_level() : CK_PORTABLE;
  typedef size_t scan(const source *, size_t, size_t *, size_t);
  static scan *const scans[2][3] = {{avx2_gpt2, avx2_cl100k, avx2_o200k},
                                    {avx512_gpt2, avx512_cl100k, avx512_o200k}};
  if (level != CK_PORTABLE)
    return scans[level == CK_AVX512][model->pattern - 1](&s, at, ends, capacity);
#endif
  return portable_scan(&s, at, ends, capacity);
}
