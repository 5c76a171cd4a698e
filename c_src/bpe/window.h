/* window.h: find all pretokens that begin in 64 bytes of text at once.
 *
 * A window begins where a pretoken begins. Bit i of a set says whether byte i is in a class, and a
 * pattern becomes a few operations on these sets. For example, a letter begins a pretoken if no
 * letter comes before it:  letter & ~(letter << 1).
 *
 * A place that a window cannot decide, because it depends on later bytes or is too rare to be worth
 * bits, is left to the pattern's function in split.c.
 */
#pragma once

#include "chars.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum { WINDOW = 64 };

/* Bit i is set if byte i belongs to a character of the class. */
typedef struct {
  uint64_t upper, lower, caseless, number, white;
  uint64_t blank, newline, slash, quote; /* ' ', \r and \n, '/', '\'' */
  uint64_t high, inner;                  /* >= 0x80; 10xxxxxx */
} window_sets;

/* Return the first n bits. */
static ALWAYS_INLINE uint64_t first_bits(size_t n) {
  return n < 64 ? ((uint64_t)1 << n) - 1 : UINT64_MAX;
}

static ALWAYS_INLINE size_t lowest(uint64_t set) { return (size_t)__builtin_ctzll(set); }
static ALWAYS_INLINE size_t highest(uint64_t set) { return 63 - (size_t)__builtin_clzll(set); }

/* Return the first bit of each run of ones. */
static ALWAYS_INLINE uint64_t firsts(uint64_t set) { return set & ~(set << 1); }

/* ---- characters of more than one byte ---- */

/* Add the characters of several bytes to the sets, up to the first that the window's end cuts off
 * or that is too hard, and return its place, else n. White space is too hard, and so are digits
 * that must be counted and, for o200k, a mark that does not follow a letter. */
static ALWAYS_INLINE size_t add_wide(const source *s, size_t at, window_sets *sets, size_t n,
                                     int counted, int cased) {
  uint64_t of[7] = {0};
  for (uint64_t leads = sets->high & ~sets->inner; leads; leads &= leads - 1) {
    size_t place = lowest(leads), next;
    unsigned class = wide_class(s, at + place, &next);
    size_t size = next - (at + place);
    if (place + size > n || (class & SPACE) || (counted && (class & NUMBER))) {
      n = place;
      break;
    }
    if (cased && (class & MARK)) {
      uint64_t word = sets->upper | sets->lower | of[1] | of[2] | of[3];
      if (place == 0 || !(word >> (place - 1) & 1)) {
        n = place;
        break;
      }
      class = CASELESS;
    }
    of[lowest(class)] |= first_bits(size) << place;
  }
  sets->upper |= of[1];
  sets->lower |= of[2];
  sets->caseless |= of[3];
  sets->number |= of[5];
  return n;
}

/* ---- where pretokens begin ---- */

/* Mark the contraction of `size` bytes at `place`: nothing begins within it, something after it. */
static ALWAYS_INLINE uint64_t with_end(uint64_t starts, size_t place, size_t size) {
  starts &= ~(first_bits(size - 1) << (place + 1));
  return place + size < WINDOW ? starts | (uint64_t)1 << (place + size) : starts;
}

static ALWAYS_INLINE uint64_t gpt2_starts(const source *s, size_t at, const window_sets *sets,
                                          uint64_t valid) {
  uint64_t letter = sets->upper | sets->lower | sets->caseless, number = sets->number;
  uint64_t white = sets->white, other = valid & ~(letter | number | white);
  uint64_t starts = firsts(letter) | firsts(number) | firsts(other);
  starts &= ~(sets->blank << 1);
  starts |= firsts(white) | (white & (valid & ~white) >> 1);
  for (uint64_t q = sets->quote & starts & letter >> 1; q; q &= q - 1) {
    size_t size = contraction(s, at + lowest(q), 0) - (at + lowest(q));
    if (size > 0)
      starts = with_end(starts, lowest(q), size);
  }
  return starts;
}

/* \p{N}{1,most} */
static ALWAYS_INLINE uint64_t number_starts(uint64_t number, size_t most) {
  uint64_t starts = firsts(number), more = number; /* more: `most` numbers come before */
  if (most == 0 || most >= WINDOW)
    return starts;
  for (size_t i = 1; i <= most; i++)
    more &= number << i;
  for (uint64_t next = starts << most & more; next; next = next << most & more)
    starts |= next;
  return starts;
}

/* Find where white space begins a pretoken, except `[\r\n]*` after symbols:
 * \s*[\r\n]+|\s+(?!\S)|\s+ */
static ALWAYS_INLINE uint64_t white_starts(uint64_t white, uint64_t newline, uint64_t valid) {
  uint64_t inline_white = white & ~newline, rows = firsts(inline_white);
  uint64_t after_rows = (inline_white + rows) & ~inline_white;
  uint64_t starts = firsts(white) | (inline_white & (valid & ~white) >> 1);
  for (uint64_t b = after_rows & newline; b; b &= b - 1) /* a run before a newline begins nothing */
    rows &= ~((uint64_t)1 << highest(rows & first_bits(lowest(b))));
  return starts | rows;
}

/* cl100k, or o200k if `cased`. */
static ALWAYS_INLINE uint64_t modern_starts(const source *s, size_t at, const window_sets *sets,
                                            uint64_t valid, int cased) {
  uint64_t letter = sets->upper | sets->lower | sets->caseless;
  uint64_t other = valid & ~(letter | sets->number | sets->white);
  uint64_t after_other = sets->newline & other << 1;
  uint64_t absorbed = sets->newline & ~(sets->newline + after_other);
  uint64_t white = sets->white & ~absorbed, newline = sets->newline & ~absorbed;

  uint64_t symbols = firsts(other) & ~(sets->blank << 1);
  uint64_t prefix = symbols; /* the whole first character, which a word may include */
  if (sets->inner)
    for (int i = 0; i < 3; i++)
      prefix |= prefix << 1 & sets->inner;
  prefix |= white & ~newline;

  uint64_t starts = symbols | (firsts(letter) & ~(prefix << 1)) |
                    number_starts(sets->number, s->model->max_digits) |
                    white_starts(white, newline, valid);
  if (cased)
    starts |= sets->upper & ~sets->inner & sets->lower << 1;

  uint64_t quotes = sets->quote & letter >> 1 & (cased ? letter << 1 : symbols);
  for (size_t after = 0; quotes; quotes &= quotes - 1) {
    size_t place = lowest(quotes), size = contraction(s, at + place, 1) - (at + place);
    if (size == 0 || (cased && place == after)) /* a contraction, not a word, is before it */
      continue;
    if (cased)
      starts &= ~((uint64_t)1 << place);
    starts = with_end(starts, place, size);
    after = place + size;
  }
  return starts;
}

/* Return the ends of the pretokens from `at` on, as bits; possibly no end is certain. */
static ALWAYS_INLINE uint64_t window_ends(const source *s, size_t at, window_sets sets,
                                          int pattern) {
  size_t left = s->end - at, n = left < WINDOW ? left : WINDOW, all = n;
  int cased = pattern == 3;
  if (sets.high)
    n = add_wide(s, at, &sets, n, pattern != 1 && s->model->max_digits, cased);
  if (cased) {
    uint64_t hard = sets.slash & sets.newline << 1;
    hard |= sets.upper & ~sets.inner & sets.caseless << 1;
    if (hard)
      n = lowest(hard) < n ? lowest(hard) : n;
  }
  uint64_t valid = first_bits(n);
  if (n < all) {
    sets.upper &= valid, sets.lower &= valid, sets.caseless &= valid, sets.number &= valid;
    sets.white &= valid, sets.blank &= valid, sets.newline &= valid, sets.quote &= valid;
    sets.inner &= valid;
  }
  uint64_t starts =
      pattern == 1 ? gpt2_starts(s, at, &sets, valid) : modern_starts(s, at, &sets, valid, cased);
  starts &= ~(uint64_t)1;
  if (n == left && n < WINDOW)
    return starts | (n > 0 ? (uint64_t)1 << n : 0);
  /* A contraction or a lookahead may extend past the last three bytes, and white space must end. */
  if (n < 4)
    return 0;
  size_t sure = n - 4;
  if (sets.white >> (n - 1) & 1) {
    uint64_t solid = valid & ~sets.white;
    size_t row = solid ? highest(solid) + 1 : 0;
    sure = row < sure ? row : sure;
  }
  return starts & first_bits(sure + 1);
}
