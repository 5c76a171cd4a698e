/* Each slot holds at most one free block. A block that a thread uses while another one forks is
 * leaked in the child; this does no other harm. */
#define _DEFAULT_SOURCE /* madvise */
#include "scratch.h"

#include <stdatomic.h>
#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

enum { SLOTS = 64 };

static char *_Atomic idle[SLOTS];

char *ck_take_scratch(int seat) {
  char *scratch = NULL;
  for (int i = 0; i < SLOTS && !scratch; i++)
    if (atomic_load_explicit(&idle[(seat + i) % SLOTS], memory_order_relaxed))
      scratch = atomic_exchange(&idle[(seat + i) % SLOTS], NULL);
  if (!scratch && (scratch = aligned_alloc(CK_SCRATCH, CK_SCRATCH))) {
#if defined(__linux__)
    madvise(scratch, CK_SCRATCH, MADV_HUGEPAGE);
#endif
  }
  return scratch;
}

void ck_give_scratch(char *scratch, int seat) {
  for (int i = 0; i < SLOTS; i++) {
    char *none = NULL;
    if (atomic_compare_exchange_strong(&idle[(seat + i) % SLOTS], &none, scratch))
      return;
  }
  free(scratch);
}
