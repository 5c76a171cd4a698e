/* pool.c: memory that one call after another uses.
 *
 * A call exchanges a pointer twice and takes no lock: a thread that dies, or is missing after a
 * fork, takes along only the memory that it was using.
 */
#include "bpe.h"

#include <stdlib.h>

enum { SLOTS = sizeof(ck_bpe_pool) / sizeof(void *) };

bpe_scratch *bpe_pool_take(ck_bpe_pool *pool) {
  if (pool == NULL)
    return NULL;
  for (size_t i = 0; i < SLOTS; i++) {
    if (__atomic_load_n(&pool->idle[i], __ATOMIC_RELAXED) == NULL)
      continue;
    bpe_scratch *scratch = __atomic_exchange_n(&pool->idle[i], NULL, __ATOMIC_ACQUIRE);
    if (scratch)
      return scratch;
  }
  void *memory = malloc(sizeof(bpe_scratch) + 64);
  if (memory == NULL)
    return NULL;
  bpe_scratch *scratch = (bpe_scratch *)(((uintptr_t)memory + 64) & ~(uintptr_t)63);
  scratch->memory = memory;
  bpe_cache_clear(scratch);
  return scratch;
}

void bpe_pool_put(ck_bpe_pool *pool, bpe_scratch *scratch) {
  if (scratch == NULL)
    return;
  for (size_t i = 0; i < SLOTS; i++) {
    void *empty = NULL;
    if (__atomic_compare_exchange_n(&pool->idle[i], &empty, scratch, 0, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED))
      return;
  }
  free(scratch->memory);
}

void ck_bpe_pool_free(ck_bpe_pool *pool) {
  for (size_t i = 0; i < SLOTS; i++)
    if (pool->idle[i])
      free(((bpe_scratch *)pool->idle[i])->memory);
  *pool = (ck_bpe_pool){{NULL}};
}
