/* Checks and copies of the tables that a caller passes in.
 *
 * A table may lie in memory that the kernel fills, and another thread may write to it at any time.
 * So overlapping memory is refused, and every table is copied once: the kernel uses exactly the
 * values that it checked. */
#pragma once

#include "frame.h"

/* The arguments that are memory. These numbers name them in an error. */
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

/* Find two ranges that overlap, name them in `error` and return true; or return false. */
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

/* Return true, with the two arguments named in `error`, if memory that the kernel fills overlaps
 * another argument. All pairs are compared without a branch: fifteen branches would be noticeable
 * in a call for a single record. An empty range within another one counts as a suspect here, and
 * name_overlap then finds no overlap. */
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

/* Copy a table. The barrier stops the compiler from reading the original again in place of the
 * copy: it must assume that all memory has changed. */
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

/* Tables of up to this many bytes are copied to the stack. */
enum { SMALL = 16384 };
