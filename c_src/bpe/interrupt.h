/* interrupt.h: the test whether a call is to end early. */
#pragma once

#include "model.h"

/* Record that this thread, for which a caller waits, may call `ask`. */
BPE_HIDDEN void bpe_set_thread(ck_interrupt *interrupt);
BPE_HIDDEN int bpe_interrupted(ck_interrupt *interrupt);

/* Return true if the call must end: its results are then discarded, and none of them is cached.
 * Call this every few microseconds. Once it is true, it stays so. */
static inline int bpe_stopped(const bpe_model *model) {
  return __builtin_expect(model->interrupt != NULL, 0) && bpe_interrupted(model->interrupt);
}

/* Store the number of items of a call's result, and return what the call returns: CK_INTERRUPTED if
 * it was ended early, CK_CAPACITY if the items did not fit, else `code`. */
static inline int bpe_finish(const bpe_model *model, int code, ck_buffer *result, size_t n,
                             ck_error *error) {
  result->n = 0;
  if (__builtin_expect(model->interrupt != NULL, 0) &&
      __atomic_load_n(&model->interrupt->ended, __ATOMIC_RELAXED))
    return bpe_fail(error, CK_INTERRUPTED, 0, 0, -1, 0, 0);
  if (code != CK_OK)
    return code;
  result->n = n;
  if (result->data && n > result->capacity)
    return bpe_fail(error, CK_CAPACITY, 0, 0, -1, n, result->capacity);
  return CK_OK;
}
