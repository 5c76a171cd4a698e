/* chunks.c: merge a very long pretoken in linear time, within the processor's cache.
 *
 * The pretoken is merged in overlapping rows of bytes, several at a time. The places where rows
 * begin decide how easily they can be joined, but not the result. Joining is exact because of this
 * rule: a sequence of symbols is the merge of all its bytes if, and only if, every two neighbours
 * are the merge of their own bytes. (The first merge across a boundary would also happen between
 * the two neighbours alone: until then the merges are the same, in the same order.)
 *
 * Two rows that share a symbol can thus be joined at it. If they share none, the last symbols of
 * the first row are merged again with the bytes of the second, and it suffices that the symbol
 * before them fits the first new one; otherwise more symbols are merged again.
 */
#include "merge.h"

#include <stdlib.h>

enum { OVERLAP = 32, RUN = 128, REGION = 3 * BPE_ROW, MEMORY = REGION * 18 / 8 };

/* Symbols that are not yet written: the symbols before a seam can still change. */
typedef struct {
  const bpe_model *model;
  bpe_symbol open[REGION + 1];
  size_t n_open;
  const uint8_t *end;   /* the end of the bytes that they cover */
  uint32_t fit[2];      /* the last two that fitted */
  const uint8_t *bytes; /* the bytes merged last, `size` of them, and their symbols */
  size_t size, n_seam;
  bpe_symbol seam[REGION];
  uint32_t *ids;
  size_t capacity, n;
} merger;

static void emit(merger *m, const bpe_symbol *symbols, size_t n) {
  for (size_t i = 0; i < n; i++, m->n++)
    if (m->n < m->capacity)
      m->ids[m->n] = symbols[i].id;
}

static size_t bytes_of(const bpe_symbol *symbols, size_t n) {
  size_t size = 0;
  for (size_t i = 0; i < n; i++)
    size += symbols[i].size;
  return size;
}

static size_t merge_region(const bpe_model *model, const uint8_t *bytes, size_t size,
                           bpe_symbol symbols[REGION]) {
  uint64_t memory[MEMORY];
  return bpe_tournament(model, bytes, size, symbols, memory);
}

/* Return true if two symbols, whose bytes these are, stay as they are. */
static int fit(merger *m, const uint8_t *bytes, bpe_symbol left, bpe_symbol right) {
  bpe_symbol both[REGION];
  size_t size = left.size + right.size;
  if (left.id == m->fit[0] && right.id == m->fit[1])
    return 1;
  if (size > REGION || merge_region(m->model, bytes, size, both) != 2 || both[0].id != left.id)
    return 0;
  m->fit[0] = left.id;
  m->fit[1] = right.id;
  return 1;
}

/* Merge into m->seam, unless the bytes are the same as the last time: a very long pretoken often
 * repeats itself. */
static void merge_seam(merger *m, const uint8_t *bytes, size_t size) {
  if (m->size != size || memcmp(m->bytes, bytes, size) != 0)
    m->n_seam = merge_region(m->model, bytes, size, m->seam);
  m->bytes = bytes;
  m->size = size;
}

/* Join the `size` bytes after the open symbols to these. Return 0 if this would change symbols that
 * were already written, or too many. The open symbol after the written ones must not change. */
static int join(merger *m, size_t size) {
  const uint8_t *end = m->end;
  size_t most = m->n_open - (m->n > 0), again = most > 0, last = 0;
  while (again < most && bytes_of(m->open + m->n_open - again, again) < 12)
    again++;
  for (;; last = again, again = again * 4 < most ? again * 4 : most) {
    size_t fixed = m->n_open - again, before = bytes_of(m->open + fixed, again);
    if (again == last || before + size > REGION)
      return 0;
    merge_seam(m, end - before, before + size);
    bpe_symbol left = m->open[fixed > 0 ? fixed - 1 : 0];
    if (fixed == 0 || fit(m, end - before - left.size, left, m->seam[0])) {
      if (fixed > 0) { /* one stays open, as the neighbour of the next change */
        emit(m, m->open, fixed - 1);
        m->open[0] = left;
      }
      m->n_open = (fixed > 0) + m->n_seam;
      memcpy(m->open + (fixed > 0), m->seam, m->n_seam * sizeof *m->seam);
      m->end = end + size;
      return 1;
    }
  }
}

static void open_from(merger *m, const bpe_row *row, size_t first) {
  m->n_open = row->n - first;
  memcpy(m->open, row->symbols + first, m->n_open * sizeof *m->open);
  m->end = row->bytes + row->size;
}

/* Continue with a row that begins before the open symbols end, from the first symbol that both have
 * at the same place: it fits the symbols before it and after it. Return 0 if there is no such
 * symbol. */
static int splice(merger *m, const bpe_row *row) {
  size_t i = m->n_open, j = 0, open_at = (size_t)(m->end - row->bytes), row_at = 0;
  while (i > 0 && m->open[i - 1].size <= open_at)
    open_at -= m->open[--i].size;
  while (i < m->n_open && j < row->n) {
    if (open_at < row_at) {
      open_at += m->open[i++].size;
    } else if (row_at < open_at || m->open[i].id != row->symbols[j].id) {
      row_at += row->symbols[j++].size;
    } else {
      emit(m, m->open, i);
      open_from(m, row, j);
      return 1;
    }
  }
  return 0;
}

static int add(merger *m, const bpe_row *row) {
  if (m->n_open == 0)
    open_from(m, row, 0);
  else if (!splice(m, row))
    return join(m, (size_t)(row->bytes + row->size - m->end));
  return 1;
}

/* Return the number of bytes of a whole row that the next row repeats. Within a run of one or two
 * bytes rows agree only if the next one begins where a symbol does. Most such symbols have a power
 * of two of bytes, so the row begins a multiple of RUN after the start of the run, or before all of
 * it. */
static size_t overlap_of(const uint8_t *row) {
  const uint8_t *last = row + BPE_ROW - 1;
  size_t run = 2;
  while (run < BPE_ROW && *(last - run) == *(last - run + 2))
    run++;
  if (run < OVERLAP)
    return OVERLAP;
  return run < RUN ? OVERLAP + run : RUN + run % RUN;
}

/* Return 0 if a row could not be added. A row that repeats the one before it is not merged again,
 * which is frequent in a very long pretoken. */
static size_t merge_chunks(merger *m, const uint8_t *bytes, size_t size) {
  bpe_symbol symbols[BPE_ROWS][BPE_ROW];
  bpe_row rows[BPE_ROWS];
  size_t times[BPE_ROWS], steps[BPE_ROWS], n, step = 0;
  for (size_t at = 0, end = 0; end < size;) {
    for (n = 0; end < size; at += step) {
      size_t more = size - at < BPE_ROW ? size - at : BPE_ROW;
      int repeats = n > 0 && more == BPE_ROW && memcmp(bytes + at - step, bytes + at, BPE_ROW) == 0;
      if (!repeats && n == BPE_ROWS)
        break;
      if (repeats) {
        times[n - 1]++;
      } else {
        step = more == BPE_ROW ? BPE_ROW - overlap_of(bytes + at) : 0;
        rows[n] = (bpe_row){bytes + at, more, 0, symbols[n]};
        steps[n] = step;
        times[n++] = 1;
      }
      end = at + more;
    }
    bpe_merge_rows(m->model, rows, n);
    for (size_t k = 0; k < n; k++)
      for (; times[k] > 0; times[k]--, rows[k].bytes += steps[k])
        if (bpe_stopped(m->model) || !add(m, &rows[k]))
          return 0;
  }
  emit(m, m->open, m->n_open);
  return m->n;
}

static size_t merge_whole(merger *m, const uint8_t *bytes, size_t size) {
  bpe_symbol *symbols = malloc(size * sizeof *symbols + bpe_tournament_size(size));
  m->n = 0;
  if (symbols && size < UINT32_MAX)
    emit(m, symbols, bpe_tournament(m->model, bytes, size, symbols, symbols + size));
  free(symbols);
  return m->n;
}

size_t bpe_merge_long(const bpe_model *model, const uint8_t *bytes, size_t size, uint32_t *ids,
                      size_t capacity) {
  merger m;
  m.model = model;
  m.fit[0] = m.fit[1] = BPE_NONE;
  m.ids = ids;
  m.capacity = capacity;
  m.n = m.n_open = m.size = 0;
  size_t n = merge_chunks(&m, bytes, size);
  if (n == 0 && !bpe_stopped(model))
    n = merge_whole(&m, bytes, size);
  return bpe_stopped(model) ? 0 : n;
}
