/* split.c: text into pretokens, by the patterns of docs/tokenizer.md.
 *
 * Each of the first three is a function from the start of a pretoken to its end, which tries the
 * pattern's alternatives in their order. The others are automata, which the model contains. Nothing
 * recurses, and no byte is visited more than a few times, so the time is linear in the text.
 */
#include "bpe.h"
#include "chars.h"

/* ---- what the patterns share ---- */

/* \p{N}{1,max_digits} */
static size_t digits(const source *s, size_t at) {
  size_t next;
  if (s->model->max_digits == 0)
    return run(s, at, NUMBER);
  for (uint32_t n = 0; n < s->model->max_digits && at < s->end; n++, at = next)
    if (!(class_at(s, at, &next) & NUMBER))
      break;
  return at;
}

/* \s+(?!\S)|\s+ at white space; with `newlines`, \s*[\r\n]+ comes first. */
static size_t spaces(const source *s, size_t at, int newlines) {
  size_t last = at, after_newline = at, stop = at, next;
  while (stop < s->end && (class_at(s, stop, &next) & SPACE)) {
    if (newlines && is_newline(s->text[stop]))
      after_newline = next;
    last = stop;
    stop = next;
  }
  if (after_newline > at)
    return after_newline;
  return stop == s->end || last == at ? stop : last;
}

/* Return the end of ` ?[^\s\p{L}\p{N}]+` with any [\r\n] and `slash` after it, or `at`. */
static size_t symbols(const source *s, size_t at, uint8_t slash) {
  size_t start = at + (s->text[at] == ' ');
  size_t stop = run(s, start, OTHER | MARK);
  if (stop == start)
    return at;
  while (stop < s->end && (is_newline(s->text[stop]) || s->text[stop] == slash))
    stop++;
  return stop;
}

/* ---- the patterns ---- */

static inline size_t gpt2(const source *s, size_t at) {
  size_t stop = contraction(s, at, 0), next;
  if (stop > at)
    return stop;
  size_t start = at + (s->text[at] == ' ' && at + 1 < s->end);
  unsigned class = class_at(s, start, &next);
  if (class & LETTER)
    return letters(s, next);
  if (class & NUMBER)
    return run(s, next, NUMBER);
  if (class & (OTHER | MARK))
    return run(s, next, OTHER | MARK);
  return spaces(s, at, 0);
}

static inline size_t cl100k(const source *s, size_t at) {
  size_t stop = contraction(s, at, 1), next;
  if (stop > at)
    return stop;
  unsigned class = class_at(s, at, &next);
  if (class & LETTER)
    return letters(s, next);
  if (class & NUMBER)
    return digits(s, at);
  if (!is_newline(s->text[at]) && is_at(s, next, LETTER))
    return letters(s, next);
  stop = symbols(s, at, '\n');
  return stop > at ? stop : spaces(s, at, 1);
}

/* Return the end of [HEAD]*[TAIL]+, or `at`. If no LOWER follows the heads, the last of them that
 * is also a tail ends the word. */
static size_t mixed_word(const source *s, size_t at) {
  size_t stop = at, last_tail = at, next;
  while (stop < s->end) {
    unsigned class = class_at(s, stop, &next);
    if (class & LOWER)
      return run(s, ascii_letters(s, next, 0), TAIL);
    if (!(class & HEAD))
      break;
    stop = next;
    if (class & TAIL)
      last_tail = stop;
  }
  return last_tail;
}

static inline size_t o200k(const source *s, size_t at) {
  size_t next;
  unsigned class = class_at(s, at, &next);
  if (class & NUMBER)
    return digits(s, at);
  /* The first character may be the [^\r\n\p{L}\p{N}]? before a word, which is tried first. */
  size_t starts[2] = {next, at}, first = class & LETTER || is_newline(s->text[at]);
  for (size_t i = first; i < 2; i++) {
    size_t stop = mixed_word(s, starts[i]);
    if (stop > starts[i])
      return contraction(s, stop, 1);
  }
  for (size_t i = first; i < 2; i++) {
    size_t stop = run(s, starts[i], HEAD);
    if (stop > starts[i])
      return contraction(s, stop, 1);
  }
  size_t stop = symbols(s, at, '/');
  return stop > at ? stop : spaces(s, at, 1);
}

/* Return at least at + 1, even if the text changed meanwhile. */
size_t bpe_pretoken(const source *s, size_t at) {
  size_t stop = s->model->pattern == 1   ? gpt2(s, at)
                : s->model->pattern == 2 ? cl100k(s, at)
                                         : o200k(s, at);
  return stop > at ? stop : at + 1;
}

size_t bpe_automaton(const source *s, size_t at) {
  size_t stop = at + 1, next = at;
  for (unsigned state = 0;; at = next) {
    unsigned class = at < s->end ? class_at(s, at, &next) : 1u << (BPE_COLUMNS - 1);
    unsigned entry = s->model->automaton[state * BPE_COLUMNS + (unsigned)__builtin_ctz(class)];
    if ((entry & 1) && state > 0)
      stop = at;
    state = entry >> 1;
    if (state == 0 || at == s->end)
      return stop;
  }
}

int ck_bpe_split(const ck_bpe *opened, const uint8_t *text, size_t size, ck_buffer *result,
                 ck_interrupt *interrupt, ck_error *error) {
  bpe_model own;
  const bpe_model *model = bpe_begin(opened, interrupt, &own);
  int64_t *ends = result->data;
  size_t capacity = ends ? result->capacity : 0;
  result->n = 0;
  size_t bad = bpe_valid(model, text, size);
  if (bad < size)
    return bpe_fail(error, CK_UTF8, (int64_t)bad, 0, -1, 0, 0);
  size_t block[BPE_BLOCK], n = 0;
  for (size_t at = 0; at < size && !bpe_stopped(model);) {
    size_t found = bpe_pretokens(model, text, at, size, block, BPE_BLOCK);
    for (size_t i = 0; i < found; i++, n++)
      if (n < capacity)
        ends[n] = (int64_t)block[i];
    at = block[found - 1];
  }
  return bpe_finish(model, CK_OK, result, n, error);
}
