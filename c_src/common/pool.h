/* A few threads that wait for work, shared by all kernels of this library.
 *
 * They are started when a call first needs them, and stay. After a call they spin for 10 to 100 us,
 * in case another one follows, then sleep. A forked child has no threads, and starts its own. */
#pragma once

/* Call work(job, part, seat) once for each 0 <= part < parts, on this thread and up to threads - 1
 * of the pool's. Return when all these calls have returned. `seat` < threads differs between calls
 * that run at the same time, so that each call can use it to find its own scratch memory.
 *
 * Parts start in order. No more threads are used than there are processors on which this thread may
 * run. Threads that are asleep join late or not at all, and while the pool serves another caller
 * there are none, so parts must not wait for each other. This cannot fail: if no thread can be
 * started, the caller does all parts. */
void ck_pool_run(void (*work)(void *job, int part, int seat), void *job, int parts, int threads);
