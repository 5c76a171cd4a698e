/* A few threads that wait for work, shared by all kernels of this library.
 *
 * They are made when first wanted and stay. After a call they look out for the next one for 10 to
 * 100 us, then sleep. A forked child has none, and makes its own. */
#ifndef COOKBOOK_POOL_H
#define COOKBOOK_POOL_H

/* Calls work(job, part, seat) once for each 0 <= part < parts, on this thread and up to threads - 1
 * of the pool's, and returns when all these calls have. `seat` < threads differs between calls that
 * run at the same time: by it each of them finds the memory that it needs for itself.
 *
 * Parts start in order. No more threads are used than this thread may use processors; those that
 * are asleep join late or not at all, and while the pool serves another caller there are none:
 * parts must not wait for each other. Nothing is allocated and nothing can fail. */
void ck_pool_run(void (*work)(void *job, int part, int seat), void *job, int parts, int threads);

#endif
