"""Merge a pretoken of any size at once: the fallback of bpe_chunks."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from bpe_interrupt cimport stopped
from bpe_model cimport NO_ID, Model
from bpe_output cimport Output, put
from bpe_tables cimport merged_id, pair_rank

cdef struct Parts:  # the parts of the pretoken, by the index of the first byte
    uint32_t *ids
    uint32_t *next
    uint32_t *previous
    uint32_t *rank     # of the merge with the next part
    uint64_t *heap  # rank << 32 | index; outdated if the part has another rank
    size_t heap_size


cdef inline void push(Parts *parts, uint64_t entry) noexcept nogil:
    cdef size_t at = parts.heap_size, parent
    parts.heap_size += 1
    while at > 0:
        parent = (at - 1) >> 1
        if parts.heap[parent] <= entry:
            break
        parts.heap[at] = parts.heap[parent]
        at = parent
    parts.heap[at] = entry


cdef inline uint64_t pop(Parts *parts) noexcept nogil:
    cdef uint64_t top = parts.heap[0], entry
    cdef size_t at = 0, child = 1
    parts.heap_size -= 1
    entry = parts.heap[parts.heap_size]
    while child < parts.heap_size:
        if child + 1 < parts.heap_size and parts.heap[child + 1] < parts.heap[child]:
            child += 1
        if parts.heap[child] >= entry:
            break
        parts.heap[at] = parts.heap[child]
        at = child
        child = 2 * at + 1
    parts.heap[at] = entry
    return top


cdef inline void rate_part(const Model *m, Parts *parts, size_t i, size_t size) noexcept nogil:
    """Look up the merge of part i with the next."""
    parts.rank[i] = NO_ID
    if parts.next[i] < size:
        parts.rank[i] = pair_rank(m, parts.ids[i], parts.ids[parts.next[i]])
        if parts.rank[i] != NO_ID:
            push(parts, <uint64_t>parts.rank[i] << 32 | i)


cdef inline void merge_parts(const Model *m, const uint8_t *pretoken, size_t size, Parts *parts,
                             Output *out) noexcept nogil:
    cdef uint64_t entry
    cdef size_t i, gone
    for i in range(size):
        parts.ids[i] = m.byte_ids[pretoken[i]]
        parts.next[i] = <uint32_t>(i + 1)
        parts.previous[i] = <uint32_t>(i - 1)
    for i in range(size):
        rate_part(m, parts, i, size)
    while parts.heap_size > 0 and not stopped(m.interrupt):
        entry = pop(parts)
        i = entry & NO_ID
        if parts.rank[i] != entry >> 32:
            continue
        gone = parts.next[i]
        parts.ids[i] = merged_id(m, parts.rank[i])
        parts.next[i] = parts.next[gone]
        parts.rank[gone] = NO_ID
        if parts.next[i] < size:
            parts.previous[parts.next[i]] = <uint32_t>i
        rate_part(m, parts, i, size)
        if i > 0:
            rate_part(m, parts, parts.previous[i], size)
    i = 0
    while i < size:
        put(out, &parts.ids[i], 1)
        i = parts.next[i]


cdef inline bint merge_whole(const Model *m, const uint8_t *pretoken, size_t size,
                             Output *out) noexcept nogil:
    """Return False if the pretoken is too long, memory ran out, or the call is to end."""
    cdef uint64_t *heap
    cdef uint32_t *words
    cdef Parts parts
    if size >= NO_ID >> 1:
        return False
    heap = <uint64_t *>malloc(size * (2 * sizeof(uint64_t) + 4 * sizeof(uint32_t)))
    if heap == NULL:
        return False
    words = <uint32_t *>(heap + 2 * size)
    parts = Parts(words, words + size, words + 2 * size, words + 3 * size, heap, 0)
    merge_parts(m, pretoken, size, &parts, out)
    free(heap)
    return not stopped(m.interrupt)
