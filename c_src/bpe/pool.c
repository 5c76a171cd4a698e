/* pool.c: memory that one call after another uses.
 *
 * A call exchanges a pointer twice and takes no lock: a thread that dies, or is missing after a
 * fork, loses only the memory that it was using.
 */
#include "cache.h"

#include <stdlib.h>

bpe_scratch *bpe_pool_take(bpe_pool *pool) {
  if (pool->uncached)
    return NULL;
  for (size_t i = 0; i < BPE_IDLE; i++) {
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

void bpe_pool_put(bpe_pool *pool, bpe_scratch *scratch) {
  if (scratch == NULL)
    return;
  for (size_t i = 0; i < BPE_IDLE; i++) {
    void *empty = NULL;
    if (__atomic_compare_exchange_n(&pool->idle[i], &empty, scratch, 0, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED))
      return;
  }
  free(scratch->memory);
}

void bpe_pool_free(bpe_pool *pool) {
  for (size_t i = 0; i < BPE_IDLE; i++)
    if (pool->idle[i])
      free(((bpe_scratch *)pool->idle[i])->memory);
}
