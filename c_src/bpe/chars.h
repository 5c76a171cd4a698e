/* chars.h: a text as a sequence of characters with classes, which docs/tokenizer.md lists.
 *
 * The text was checked to be UTF-8, but another thread may have changed it since. So a character is
 * never read past the end, and every byte has some class.
 */
#pragma once

#include "text.h"

typedef struct {
  const bpe_model *model;
  const uint8_t *ascii; /* the classes of the first 128 code points */
  const uint8_t *text;
  size_t end;
  int plain; /* the ASCII characters have their usual classes */
} source;

/* Sets of classes. */
enum {
  OTHER = 1 << 0,
  UPPER = 1 << 1,
  LOWER = 1 << 2,
  CASELESS = 1 << 3,
  MARK = 1 << 4,
  NUMBER = 1 << 5,
  SPACE = 1 << 6,
  LETTER = UPPER | LOWER | CASELESS,
  HEAD = UPPER | CASELESS | MARK, /* o200k: a word is HEAD* TAIL+, else HEAD+ */
  TAIL = LOWER | CASELESS | MARK,
};

/* Return the class, as a set of one, of a character that starts with a byte >= 0x80. */
static inline unsigned wide_class(const source *s, size_t at, size_t *next) {
  const uint8_t *p = s->text + at;
  size_t left = s->end - at, size = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
  *next = at + (size < left ? size : left);
  if (size > left)
    return OTHER;
  uint32_t c = size == 2   ? (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu)
               : size == 3 ? (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu)
                           : (p[0] & 0x07u) << 18 | (p[1] & 0x3Fu) << 12 | (p[2] & 0x3Fu) << 6 |
                                 (p[3] & 0x3Fu);
  if (c > 0x10FFFF)
    return OTHER;
  return 1u << s->model->unicode_blocks[s->model->unicode_index[c >> 7] * 128 + (c & 127)];
}

/* Return the class of the character at `at` < end, and where the next one starts. */
static inline unsigned class_at(const source *s, size_t at, size_t *next) {
  uint8_t c = s->text[at];
  if (c >= 0x80)
    return wide_class(s, at, next);
  *next = at + 1;
  return 1u << s->ascii[c];
}

static inline int is_at(const source *s, size_t at, unsigned set) {
  size_t next;
  return at < s->end && (class_at(s, at, &next) & set);
}

/* Return the end of the run of characters of `set` that starts at `at`. */
static inline size_t run(const source *s, size_t at, unsigned set) {
  size_t next;
  while (at < s->end && (class_at(s, at, &next) & set))
    at = next;
  return at;
}

/* Return the end of the run of a-z (and A-Z, if `fold` is 0x20) at `at`, or an earlier place. It
 * tests eight bytes at a time, so that the length of a word costs no mispredicted branch. */
static inline size_t ascii_letters(const source *s, size_t at, uint8_t fold) {
  const uint64_t ones = 0x0101010101010101u, high = 0x80 * ones;
  for (; s->plain && s->end - at >= 8; at += 8) {
    uint64_t bytes = bpe_load64(s->text + at), low = (bytes | fold * ones) & ~high;
    uint64_t other = ~((low + (0x80 - 'a') * ones) & ~(low + (0x7F - 'z') * ones) & ~bytes) & high;
    if (other)
      return at + (size_t)__builtin_ctzll(other) / 8;
  }
  return at;
}

static inline size_t letters(const source *s, size_t at) {
  return run(s, ascii_letters(s, at, 0x20), LETTER);
}

static inline int is_newline(uint8_t c) { return c == '\n' || c == '\r'; }

/* Return the end of '(?:[sdmt]|ll|ve|re) at an apostrophe, or `at`. With `fold`, case is
 * ignored. */
static inline size_t contraction(const source *s, size_t at, int fold) {
  size_t left = s->end - at;
  const uint8_t *p = s->text + at;
  if (left < 2 || p[0] != '\'')
    return at;
  uint8_t mask = fold ? 0x20 : 0, a = p[1] | mask, b = left < 3 ? 0 : p[2] | mask;
  if (a == 's' || a == 'd' || a == 'm' || a == 't')
    return at + 2;
  if ((a == 'l' && b == 'l') || ((a == 'v' || a == 'r') && b == 'e'))
    return at + 3;
  if (fold && left >= 3 && p[1] == 0xC5 && p[2] == 0xBF)
    return at + 3; /* U+017F, a long s */
  return at;
}

/* Return text[0 .. end] with the classes of a model. */
static inline source source_of(const bpe_model *model, const uint8_t *text, size_t end) {
  return (source){model, model->unicode_blocks + model->unicode_index[0] * 128, text, end,
                  model->plain};
}

/* Return the end of the pretoken that starts at `at`, by the model's pattern or its automaton. */
BPE_HIDDEN size_t bpe_pretoken(const source *s, size_t at);
BPE_HIDDEN size_t bpe_automaton(const source *s, size_t at);
