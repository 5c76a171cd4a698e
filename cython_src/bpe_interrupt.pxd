"""The early end of a long call.

Every loop whose length depends on the text calls `stopped` and leaves if that is true. Its results
are then discarded, and need not even be correct: the caller raises an exception."""

from libc.stdint cimport int64_t, uint32_t, uintptr_t
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

cdef extern from *:
    """
    #include <pthread.h>
    static inline uintptr_t this_thread(void) { return (uintptr_t)pthread_self(); }
    static inline int is_set(const int *flag) { return __atomic_load_n(flag, __ATOMIC_RELAXED); }
    static inline void set_flag(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }
    """
    uintptr_t this_thread() nogil
    int is_set(const int *flag) nogil
    void set_flag(int *flag) nogil

cdef enum:
    CHECKS = 64  # for each look at the clock
    PERIOD = 50 * 1000 * 1000  # nanoseconds

cdef struct Interrupt:
    int stop
    int (*ask)() noexcept nogil  # called 20 times a second; sets `stop` if not 0
    uintptr_t thread  # the thread that calls it, which made the call
    uint32_t checks
    int64_t asked  # when `ask` was last called


cdef inline int64_t nanoseconds() noexcept nogil:
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * <int64_t>1000000000 + now.tv_nsec


cdef inline bint asks(const Interrupt *interrupt) noexcept nogil:
    return interrupt != NULL and interrupt.thread == this_thread()


cdef inline bint stopped(Interrupt *interrupt) noexcept nogil:
    """Return True if the call must end; none of its results may then be cached."""
    if interrupt == NULL:
        return False
    if is_set(&interrupt.stop):
        return True
    if not asks(interrupt):
        return False
    interrupt.checks += 1
    if interrupt.checks % CHECKS != 0:
        return False
    cdef int64_t now = nanoseconds()
    if now - interrupt.asked < PERIOD:
        return False
    interrupt.asked = now
    if interrupt.ask() == 0:
        return False
    set_flag(&interrupt.stop)
    return True
