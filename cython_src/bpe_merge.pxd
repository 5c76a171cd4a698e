"""A piece to its ids: merge the pair of lowest rank, the leftmost on a tie, until none merges."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memmove

from bpe_model cimport NO_ID, SHORT, Merge, Model, find_byte_pair, find_long, find_pair, find_short

cdef enum:
    FEW = 48           # up to here all pairs are looked at for each merge; beyond there is a heap
    BYTES_EACH = 36    # of scratch for a byte of text
    MAX_PIECE = 0x7fffffff

cdef struct Output:
    uint32_t *ids  # or NULL, only to count
    size_t n, capacity

cdef struct Parts:  # what is left of a long piece, by the index of its first byte
    uint32_t *ids
    uint32_t *next
    uint32_t *previous
    uint32_t *rank     # of the merge with the next part
    uint32_t *merged   # its id
    uint64_t *heap     # rank << 32 | index; an entry whose part has another rank by now is stale
    size_t heap_size


cdef inline void emit(Output *out, uint32_t id) noexcept nogil:
    if out.ids != NULL and out.n < out.capacity:
        out.ids[out.n] = id
    out.n += 1


cdef inline void merge_few(const Model *m, const uint8_t *piece, size_t size,
                           Output *out) noexcept nogil:
    cdef uint32_t[FEW] ids
    cdef Merge[FEW] pairs  # pairs[i]: of ids[i] and ids[i + 1]
    cdef size_t i, best
    for i in range(size):
        ids[i] = m.byte_ids[piece[i]]
        if i > 0:
            pairs[i - 1] = find_byte_pair(m, piece + i - 1)
    while size > 1:
        best = 0
        for i in range(1, size - 1):
            if pairs[i].rank < pairs[best].rank:
                best = i
        if pairs[best].rank == NO_ID:
            break
        ids[best] = pairs[best].id
        size -= 1
        memmove(ids + best + 1, ids + best + 2, (size - best - 1) * sizeof(uint32_t))
        memmove(pairs + best, pairs + best + 1, (size - best - 1) * sizeof(Merge))
        if best > 0:
            pairs[best - 1] = find_pair(m, ids[best - 1], ids[best])
        if best + 1 < size:
            pairs[best] = find_pair(m, ids[best], ids[best + 1])
    for i in range(size):
        emit(out, ids[i])


# ---- a heap for long pieces ----------------------------------------------------------------------


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


cdef inline void rate(const Model *m, Parts *parts, size_t i, size_t size) noexcept nogil:
    """Looks up the merge of part i with the next."""
    cdef Merge pair
    parts.rank[i] = NO_ID
    if parts.next[i] < size:
        pair = find_pair(m, parts.ids[i], parts.ids[parts.next[i]])
        parts.rank[i] = pair.rank
        parts.merged[i] = pair.id
        if pair.rank != NO_ID:
            push(parts, <uint64_t>pair.rank << 32 | i)


cdef inline void merge_many(const Model *m, const uint8_t *piece, size_t size, void *scratch,
                            Output *out) noexcept nogil:
    cdef uint64_t *heap = <uint64_t *>scratch
    cdef uint32_t *words = <uint32_t *>(heap + 2 * size)
    cdef Parts parts = Parts(words, words + size, words + 2 * size, words + 3 * size,
                             words + 4 * size, heap, 0)
    cdef uint64_t entry
    cdef size_t i, gone
    for i in range(size):
        parts.ids[i] = m.byte_ids[piece[i]]
        parts.next[i] = <uint32_t>(i + 1)
        parts.previous[i] = <uint32_t>(i - 1)
    for i in range(size):
        rate(m, &parts, i, size)
    while parts.heap_size > 0:
        entry = pop(&parts)
        i = entry & NO_ID
        if parts.rank[i] != entry >> 32:
            continue
        gone = parts.next[i]
        parts.ids[i] = parts.merged[i]
        parts.next[i] = parts.next[gone]
        parts.rank[gone] = NO_ID
        if parts.next[i] < size:
            parts.previous[parts.next[i]] = <uint32_t>i
        rate(m, &parts, i, size)
        if i > 0:
            rate(m, &parts, parts.previous[i], size)
    i = 0
    while i < size:
        emit(out, parts.ids[i])
        i = parts.next[i]


cdef inline void encode_piece(const Model *m, const uint8_t *piece, size_t size, const uint8_t *end,
                              void *scratch, Output *out) noexcept nogil:
    """`end`: of the text, up to where it may be read. `scratch`: BYTES_EACH * size, aligned."""
    cdef uint32_t id
    id = find_short(m, piece, size, end) if size <= SHORT else find_long(m, piece, size)
    if id != NO_ID:
        emit(out, id)
    elif size <= FEW:
        merge_few(m, piece, size, out)
    else:
        merge_many(m, piece, size, scratch, out)
