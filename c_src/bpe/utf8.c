/* utf8.c: find where a text stops being UTF-8. */
#include "common/cpu.h"
#include "common/target.h"
#include "interrupt.h"
#include "text.h"

/* Return the size of the well-formed sequence that starts with p[0] >= 0x80, or 0. */
static size_t sequence(const uint8_t *p, size_t left) {
  size_t size = p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4 : 0;
  if (size == 0 || size > left)
    return 0;
  for (size_t i = 1; i < size; i++)
    if ((p[i] & 0xC0) != 0x80)
      return 0;
  int bad = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) || /* surrogates */
            (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F);
  return bad ? 0 : size;
}

/* Return true if all of 64 bytes are ASCII. */
static inline int is_ascii(const uint8_t *text) {
  uint64_t any = 0;
  for (size_t i = 0; i < 64; i += 8)
    any |= bpe_load64(text + i);
  return !(any & 0x8080808080808080u);
}

#if defined(__x86_64__)
#include <immintrin.h>

TARGET_BEGIN("avx2")

/* Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte" (2020): two
 * consecutive bytes break a rule if three tables, indexed by their first, second and third
 * half-byte, all contain the rule. */
enum {
  TOO_SHORT = 1 << 0,  /* 11______ 0_______, 11______ 11______ */
  TOO_LONG = 1 << 1,   /* 0_______ 10______ */
  OVERLONG_3 = 1 << 2, /* 11100000 100_____ */
  TOO_LARGE = 1 << 3,  /* 11110100 1001____ and above */
  SURROGATE = 1 << 4,  /* 11101101 101_____ */
  OVERLONG_2 = 1 << 5, /* 1100000_ 10______ */
  TOO_HIGH = 1 << 6,   /* 11110101 1000____ and above, or 11110000 1000____ */
  TWO_MORE = 1 << 7,   /* 10______ 10______: an error unless it is the third or fourth byte */
  ANY = TOO_SHORT | TOO_LONG | TWO_MORE,
};

#define TABLE(...) _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__))

/* Return the faults of the 32 bytes at `text`; the 3 bytes before must be readable. */
static inline __m256i faults(const uint8_t *text) {
  const __m256i first =
      TABLE(TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG,
            (char)TWO_MORE, (char)TWO_MORE, (char)TWO_MORE, (char)TWO_MORE, TOO_SHORT | OVERLONG_2,
            TOO_SHORT, TOO_SHORT | OVERLONG_3 | SURROGATE, TOO_SHORT | TOO_LARGE | TOO_HIGH);
  const char high = (char)(ANY | TOO_LARGE | TOO_HIGH);
  const __m256i second =
      TABLE((char)(ANY | OVERLONG_3 | OVERLONG_2 | TOO_HIGH), (char)(ANY | OVERLONG_2), (char)ANY,
            (char)ANY, (char)(ANY | TOO_LARGE), high, high, high, high, high, high, high, high,
            (char)(high | SURROGATE), high, high);
  const char more = (char)(TOO_LONG | OVERLONG_2 | TWO_MORE);
  const __m256i third =
      TABLE(TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
            (char)(more | OVERLONG_3 | TOO_HIGH), (char)(more | OVERLONG_3 | TOO_LARGE),
            (char)(more | SURROGATE | TOO_LARGE), (char)(more | SURROGATE | TOO_LARGE), TOO_SHORT,
            TOO_SHORT, TOO_SHORT, TOO_SHORT);
  const __m256i half = _mm256_set1_epi8(15);
  __m256i bytes = _mm256_loadu_si256((const __m256i *)text);
  __m256i before = _mm256_loadu_si256((const __m256i *)(text - 1));
  __m256i pairs = _mm256_and_si256(
      _mm256_and_si256(
          _mm256_shuffle_epi8(first, _mm256_and_si256(_mm256_srli_epi16(before, 4), half)),
          _mm256_shuffle_epi8(second, _mm256_and_si256(before, half))),
      _mm256_shuffle_epi8(third, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half)));
  __m256i two = _mm256_loadu_si256((const __m256i *)(text - 2));
  __m256i three = _mm256_loadu_si256((const __m256i *)(text - 3));
  __m256i is_more = _mm256_or_si256(_mm256_subs_epu8(two, _mm256_set1_epi8(0xE0 - 0x80)),
                                    _mm256_subs_epu8(three, _mm256_set1_epi8(0xF0 - 0x80)));
  return _mm256_xor_si256(pairs, _mm256_and_si256(is_more, _mm256_set1_epi8((char)TWO_MORE)));
}

/* Given that text[0 .. at] is well-formed and at >= 3, return a later place of this kind at which a
 * character begins. */
static size_t avx2_utf8(const uint8_t *text, size_t at, size_t size) {
  for (; size - at >= 64; at += 64) {
    const __m256i *place = (const __m256i *)(text + at);
    __m256i high = _mm256_or_si256(_mm256_loadu_si256(place), _mm256_loadu_si256(place + 1));
    if (_mm256_movemask_epi8(high) == 0 && text[at - 1] < 0x80)
      continue;
    __m256i wrong = _mm256_or_si256(faults(text + at), faults(text + at + 32));
    if (!_mm256_testz_si256(wrong, wrong))
      break;
  }
  while (at > 0 && (text[at - 1] & 0xC0) == 0x80)
    at--;
  return at > 0 && text[at - 1] >= 0xC0 ? at - 1 : at;
}

TARGET_END
#endif

/* Go from `at`, where a character begins, to the first bad sequence or at least to `end`. */
static size_t one_by_one(const uint8_t *text, size_t at, size_t end, size_t size) {
  while (at < end) {
    if (size - at >= 64 && is_ascii(text + at)) {
      at += 64;
    } else if (size - at >= 8 && !(bpe_load64(text + at) & 0x8080808080808080u)) {
      at += 8;
    } else if (size - at < 8 && size >= 8 && !(bpe_load64(text + size - 8) & 0x8080808080808080u)) {
      at = size;
    } else if (text[at] < 0x80) {
      at++;
    } else {
      size_t step = sequence(text + at, size - at);
      if (step == 0)
        break;
      at += step;
    }
  }
  return at;
}

size_t bpe_utf8(const uint8_t *text, size_t size) {
  size_t at = 0;
#if defined(__x86_64__)
  if (size >= 128 && ck_isa_level() >= CK_AVX2) {
    at = one_by_one(text, 0, 3, size);
    if (at >= 3)
      at = avx2_utf8(text, at, size);
  }
#endif
  return one_by_one(text, at, size, size);
}

/* Return the end of the slice that begins at `at`, such that it cuts no well-formed sequence. */
static size_t slice_end(const uint8_t *text, size_t at, size_t size) {
  if (size - at <= BPE_SLICE)
    return size;
  size_t end = at + BPE_SLICE, start = end;
  while ((text[start] & 0xC0) == 0x80 && end - start < 3)
    start--;
  return (text[start] & 0xC0) == 0x80 ? end : start;
}

size_t bpe_valid_slices(const bpe_model *model, const uint8_t *text, size_t size) {
  for (size_t at = 0, end; at < size && !bpe_stopped(model); at = end) {
    end = slice_end(text, at, size);
    size_t bad = at + bpe_utf8(text + at, end - at);
    if (bad < end)
      return bad;
  }
  return size;
}
