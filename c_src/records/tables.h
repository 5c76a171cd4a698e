/* tables.h: what a call was given, checked and copied before anything steers by it.
 *
 * A table may lie in memory that the kernel fills, and another thread may write to it at any time.
 * So memory that overlaps is refused, and every table is copied, once: what was checked is what is
 * used. */
#ifndef RECORDS_TABLES_H
#define RECORDS_TABLES_H

#include "frame.h"

/* The arguments that are memory, in the order in which an error names them. */
enum { AT_BUFFER, AT_SPANS, AT_SCHEMA, AT_FIELDS, AT_ARENA, AT_COLUMNS, AT_CURSOR };

typedef struct {
  int argument; /* AT_BUFFER to AT_CURSOR */
  bool filled;  /* the kernel writes to it */
  const void *at;
  size_t size;
} memory_range;

static inline bool share_bytes(memory_range a, memory_range b) {
  uintptr_t first = (uintptr_t)a.at, second = (uintptr_t)b.at;
  return a.size > 0 && b.size > 0 &&
         (first <= second ? second - first < a.size : first - second < b.size);
}

/* Names in `error` the two that overlap. */
static __attribute__((noinline, cold)) bool name_overlap(const memory_range *ranges, int n,
                                                         ck_error *error) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if ((ranges[i].filled || ranges[j].filled) && share_bytes(ranges[i], ranges[j])) {
        fail(error, CK_OVERLAP, 0, 0, ranges[i].argument, ranges[j].argument);
        return true;
      }
  return false;
}

/* Whether memory that the kernel fills overlaps anything else: then `error` names the two. All pairs
 * are compared without a branch, as fifteen would be felt in a call for a single record. An empty
 * range within another one counts here, and is only then seen not to overlap. */
static __attribute__((always_inline)) inline bool overlaps(const memory_range *ranges, int n,
                                                           ck_error *error) {
  bool any = false;
#pragma GCC unroll 8
  for (int i = 0; i < n; i++) {
    uintptr_t first = (uintptr_t)ranges[i].at;
#pragma GCC unroll 8
    for (int j = i + 1; j < n; j++) {
      uintptr_t second = (uintptr_t)ranges[j].at;
      any |= (ranges[i].filled || ranges[j].filled) &
             ((second - first < ranges[i].size) | (first - second < ranges[j].size));
    }
  }
  return any && name_overlap(ranges, n, error);
}

/* Copies a table. The compiler must not read the original again afterwards, in place of the copy:
 * it has to assume that this changes all memory. */
static inline void copy_once(void *to, const void *from, size_t size) {
  if (size > 0)
    memcpy(to, from, size);
  __asm__ volatile("" ::: "memory");
}

static inline ck_cursor copy_of(const ck_cursor *cursor) {
  ck_cursor copy;
  copy_once(&copy, cursor, sizeof copy);
  return copy;
}

/* What a small table takes is on the stack. */
enum { SMALL = 16384 };

#endif
