/* bpe.h: an open model, and the start of every public function. */
#pragma once

#include "cache.h"
#include "interrupt.h"

struct ck_bpe {
  bpe_model model;
  bpe_pool pool;
};

/* Return the model for a call: the copy *own if the call can end early. */
static inline const bpe_model *bpe_begin(const ck_bpe *opened, ck_interrupt *interrupt,
                                         bpe_model *own) {
  if (__builtin_expect(interrupt == NULL, 1))
    return &opened->model;
  bpe_set_thread(interrupt);
  *own = opened->model;
  own->interrupt = interrupt;
  return own;
}
