/* A pool with one thread of its own, to which work is given. */
#include <stddef.h>

typedef struct pool pool;

/* Start the thread and return its pool, or NULL if that is not possible. */
pool *pool_new(void);

/* Return the sum of the squares, which the pool's thread computes. One thread at a time may ask. */
double pool_sum(pool *pool, const double *values, size_t n);

/* Wait for the thread to end, and free the pool. */
void pool_free(pool *pool);
