"""The destination of ids."""

from libc.stdint cimport uint32_t
from libc.string cimport memcpy

cdef struct Output:
    uint32_t *ids  # or NULL, only to count
    size_t n, capacity


cdef inline void put(Output *out, const uint32_t *ids, size_t n) noexcept nogil:
    cdef size_t room = out.capacity - out.n if out.n < out.capacity else 0
    if out.ids != NULL and room > 0:
        memcpy(out.ids + out.n, ids, min(n, room) * sizeof(uint32_t))
    out.n += n
