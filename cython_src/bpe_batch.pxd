"""Encode many texts on several threads, which take consecutive texts of about equal size."""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memcpy

from bpe_cache cimport Scratch
from bpe_encode cimport encode_text, ended
from bpe_error cimport Error
from bpe_interrupt cimport asks, stopped
from bpe_model cimport INTERRUPTED, OK, Model
from bpe_output cimport Output
from bpe_pool cimport Pool, put_back, take
from parallel cimport MAX_THREADS, most_threads, run_parallel

cdef extern from *:
    """
    #include <unistd.h>
    static inline int counted(int *n, int more) {
      return __atomic_add_fetch(n, more, __ATOMIC_RELAXED);
    }
    """
    int counted(int *n, int more) nogil
    int usleep(unsigned int microseconds) nogil

cdef enum:
    SMALL = 1 << 16  # the least bytes of text that are worth a thread

cdef struct Item:
    const uint8_t *text
    int64_t size
    int64_t start  # its offset if all texts were end to end

cdef struct Batch:
    const Model *model
    const uint8_t *policy
    Item *items
    int64_t n
    int64_t size       # of all texts
    int parts
    Pool *pool
    uint32_t *ids  # `size` of them; an item's ids begin at its start
    int64_t *offsets   # n + 1: out
    Error[MAX_THREADS] errors  # of each part
    int done           # parts


cdef inline void plan(Batch *b, Py_ssize_t threads) noexcept nogil:
    """Complete `b` from its items, n and the bound on threads, and return the memory it needs."""
    cdef int64_t i
    b.size = 0
    for i in range(b.n):
        b.items[i].start = b.size
        b.size += b.items[i].size
    b.done = 0
    b.parts = most_threads(min(threads, b.size // SMALL + 1))


cdef inline void encode_part(void *job, int part) noexcept nogil:
    cdef Batch *b = <Batch *>job
    cdef Error *error = &b.errors[part]
    cdef int64_t share = b.size // b.parts + 1, i
    cdef Item *item
    cdef Output out
    cdef Scratch *scratch = take(b.pool)
    error.code = OK
    for i in range(b.n):
        item = &b.items[i]
        if item.start // share == part:
            out = Output(b.ids + item.start, 0, item.size)
            if encode_text(b.model, item.text, item.size, b.policy, scratch, &out, error) != OK:
                error.record = i
                break
            b.offsets[i + 1] = out.n
    put_back(b.pool, scratch)
    counted(&b.done, 1)
    if part + 1 == b.parts and asks(b.model.interrupt):
        while counted(&b.done, 0) < b.parts and not stopped(b.model.interrupt):
            usleep(1000)


cdef inline Error encode_batch_kernel(Batch *b) noexcept nogil:
    """Return the error of the first text that has one."""
    cdef int64_t i
    cdef int part
    run_parallel(encode_part, b, b.parts)
    if ended(b.model, &b.errors[0]) == INTERRUPTED:
        return b.errors[0]
    for part in range(b.parts):
        if b.errors[part].code != OK:
            return b.errors[part]
    b.offsets[0] = 0
    for i in range(b.n):
        b.offsets[i + 1] += b.offsets[i]
    return b.errors[0]


cdef inline void gather(const Batch *b, uint32_t *out) noexcept nogil:
    cdef int64_t i
    for i in range(b.n):
        memcpy(out + b.offsets[i], b.ids + b.items[i].start,
               (b.offsets[i + 1] - b.offsets[i]) * sizeof(uint32_t))
