"""Memory that one call after another uses, including its cache.

A call exchanges a pointer twice and takes no lock. A thread that dies, or is missing after a fork,
loses only the memory that it was using."""

from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free

from bpe_cache cimport Scratch

cdef enum:
    IDLE = 16  # the most that are stored

cdef struct Pool:  # all NULL at first
    (void *)[IDLE] idle

cdef extern from *:
    """
    #include <stddef.h>
    static inline void *taken(void **slot) {
      void *there = __atomic_load_n(slot, __ATOMIC_RELAXED);
      return there ? __atomic_exchange_n(slot, NULL, __ATOMIC_ACQUIRE) : NULL;
    }
    static inline int stored(void **slot, void *memory) {
      void *empty = NULL;
      return __atomic_compare_exchange_n(slot, &empty, memory, 0, __ATOMIC_RELEASE,
                                         __ATOMIC_RELAXED);
    }
    """
    void *taken(void **slot) nogil
    bint stored(void **slot, void *memory) nogil


cdef inline Scratch *take(Pool *pool) noexcept nogil:
    """Return the memory of an earlier call, or new memory, or NULL if there is none."""
    cdef int i
    cdef void *memory
    cdef Scratch *scratch
    for i in range(IDLE):
        memory = taken(&pool.idle[i])
        if memory != NULL:
            return <Scratch *>memory
    memory = calloc(1, sizeof(Scratch) + 64)
    if memory == NULL:
        return NULL
    scratch = <Scratch *>(<uintptr_t>memory + 64 & ~<uintptr_t>63)
    scratch.memory = memory
    return scratch


cdef inline void put_back(Pool *pool, Scratch *scratch) noexcept nogil:
    cdef int i
    if scratch == NULL:
        return
    for i in range(IDLE):
        if stored(&pool.idle[i], scratch):
            return
    free(scratch.memory)


cdef inline void free_pool(Pool *pool) noexcept nogil:
    cdef int i
    for i in range(IDLE):
        if pool.idle[i] != NULL:
            free((<Scratch *>pool.idle[i]).memory)
