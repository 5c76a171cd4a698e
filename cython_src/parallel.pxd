"""Threads for the duration of one call. None survives it, so that nothing can hang after a fork."""

cdef extern from "<pthread.h>" nogil:
    ctypedef struct pthread_t:
        pass
    int pthread_create(pthread_t *, const void *, void *(*)(void *) noexcept nogil, void *)
    int pthread_join(pthread_t, void **)

cdef extern from *:
    """
    #include <sched.h>
    #include <unistd.h>
    static inline int processors(void) { /* that this process may use */
    #ifdef __linux__
      cpu_set_t allowed; /* too small for more than 1024 of them: then the call fails */
      if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return CPU_COUNT(&allowed);
    #endif
      return (int)sysconf(_SC_NPROCESSORS_ONLN);
    }
    """
    int processors() nogil

ctypedef void (*Work)(void *job, int part) noexcept nogil

cdef enum:
    MAX_THREADS = 64

cdef struct Share:
    Work work
    void *job
    int part


cdef inline int most_threads(Py_ssize_t wanted) noexcept nogil:
    """Return the number of threads, at most `threads`, that can run at the same time."""
    return 1 if wanted == 1 else <int>max(1, min(min(wanted, MAX_THREADS), processors()))


cdef inline void *do_share(void *argument) noexcept nogil:
    cdef Share *share = <Share *>argument
    share.work(share.job, share.part)
    return NULL


cdef inline void run_parallel(Work work, void *job, int parts) noexcept nogil:
    """Call work(job, part) for each part < parts <= MAX_THREADS, the last one on this thread."""
    cdef Share[MAX_THREADS] shares
    cdef pthread_t[MAX_THREADS] threads
    cdef bint[MAX_THREADS] started
    cdef int i
    for i in range(parts):
        shares[i] = Share(work, job, i)
        started[i] = (i < parts - 1
                      and pthread_create(&threads[i], NULL, do_share, &shares[i]) == 0)
        if not started[i]:
            do_share(&shares[i])
    for i in range(parts):
        if started[i]:
            pthread_join(threads[i], NULL)
