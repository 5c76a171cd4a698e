"""The cache of recent pretokens and their ids.

It is a table that begins small and doubles in place when it is full. At its largest size newer
pretokens replace older ones."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from bpe_tables cimport Key, hash_of, is_long

cdef extern from *:
    """
    #define FAR (UINT32_C(1) << 31)
    """
    const uint32_t FAR  # added to `n` if the ids are in `overflow`, after a long pretoken's bytes

cdef enum:
    FIRST_BITS = 13  # the first and the last number of lines, as powers of two
    LAST_BITS = 17
    NEAR = 3  # ids that fit into an entry
    CACHED_BYTES = 2048  # the size of the longest pretoken that is cached
    OVERFLOW = 6 << 20
    CROWDED = 31  # a pretoken without room counts as this many additions

cdef struct Entry:  # two of them are a line of the processor's cache
    uint64_t low, high  # of its key; 0 if there is none
    uint32_t[NEAR] ids  # or, in two of them, the place in `overflow`
    uint32_t n

# All zeros at first. Lines are filled from the front, and a pretoken for which its own has no room
# is in one of the three next to it, so that a look-up ends at the first empty entry.
cdef struct Scratch:
    Entry[2 << LAST_BITS] entries
    uint8_t[OVERFLOW] overflow    # the newest overwrite the oldest
    uint64_t written  # bytes ever written
    size_t doubled, added  # doublings so far; pretokens added since the last
    void *memory  # the allocation that contains this


cdef inline bint holds(const Entry *entry, Key key) noexcept nogil:
    return ((entry.low ^ key.low) | (entry.high ^ key.high)) == 0


cdef inline size_t own_line(const Scratch *s, Key key) noexcept nogil:
    """Return the index of its first entry."""
    return key.hash >> (64 - FIRST_BITS - s.doubled) << 1


cdef inline const Entry *find(const Scratch *s, Key key) noexcept nogil:
    cdef size_t line = own_line(s, key), i
    cdef const Entry *two
    for i in range(0, 8, 2):
        two = &s.entries[line ^ i]
        if holds(two, key):
            return two
        if holds(two + 1, key):
            return two + 1
        if two[1].n == 0:
            break
    return NULL


cdef inline size_t far_ids(const Scratch *s, const Entry *entry, Key key, const uint8_t *pretoken,
                           size_t size, uint32_t *ids, size_t most) noexcept nogil:
    """Copy the ids that are in `overflow`, at most `most`, and return their number.

    Return 0 if they were overwritten, or are too many, or belong to another pretoken."""
    cdef uint64_t place = entry.ids[0] | <uint64_t>entry.ids[1] << 32
    cdef const uint8_t *stored = s.overflow + place % OVERFLOW
    cdef size_t n = entry.n & ~FAR
    if n > most or s.written - place > OVERFLOW:
        return 0
    if is_long(key):
        if memcmp(stored, pretoken, size) != 0:
            return 0
        stored += size
    memcpy(ids, stored, n * sizeof(uint32_t))
    return n


cdef inline uint64_t store(Scratch *s, const uint8_t *bytes, size_t size, const uint32_t *ids,
                          size_t n) noexcept nogil:
    """Store bytes and ids over the oldest ones, and return their place."""
    cdef size_t wanted = size + n * sizeof(uint32_t), left = OVERFLOW - s.written % OVERFLOW
    cdef uint64_t place = s.written + (left if wanted > left else 0)
    s.written = place + wanted
    if size > 0:
        memcpy(s.overflow + place % OVERFLOW, bytes, size)
    memcpy(s.overflow + place % OVERFLOW + size, ids, n * sizeof(uint32_t))
    return place


cdef inline void insert(Scratch *s, Key key, const Entry *new) noexcept nogil:
    """Insert where there is room, else over an entry of its own line."""
    cdef size_t line = own_line(s, key), i, place
    for i in range(8):
        place = line ^ i
        if s.entries[place].n == 0 or holds(&s.entries[place], key):
            s.added += 1
            break
    else:
        s.added += CROWDED  # odd, so that the two entries take turns
        place = line | s.added & 1
    s.entries[place] = new[0]


cdef inline void cache_ids(Scratch *s, Key key, const uint8_t *pretoken, size_t size,
                          const uint32_t *ids, size_t n) noexcept nogil:
    """Cache the ids of a pretoken of at most CACHED_BYTES, which are those of the key."""
    cdef Entry new
    cdef uint64_t place
    memset(&new, 0, sizeof(new))
    new.low, new.high, new.n = key.low, key.high, <uint32_t>n
    if is_long(key) or n > NEAR:
        place = store(s, pretoken, size if is_long(key) else 0, ids, n)
        new.ids[0], new.ids[1] = <uint32_t>place, <uint32_t>(place >> 32)
        new.n |= FAR
    else:
        memcpy(new.ids, ids, n * sizeof(uint32_t))
    insert(s, key, &new)


cdef inline void grow(Scratch *s) noexcept nogil:
    """Double a table that is half full, unless it has its largest size.

    Pretokens move from the last lines to the first: the pretokens of four lines belong in eight of
    the new lines."""
    cdef size_t lines = <size_t>1 << (FIRST_BITS + s.doubled), first, i
    cdef Entry[8] eight
    if FIRST_BITS + s.doubled == LAST_BITS or s.added < lines:
        return
    s.doubled += 1
    s.added = 0
    first = 2 * lines
    while first > 0:
        first -= 8
        memcpy(eight, &s.entries[first], sizeof(eight))
        memset(&s.entries[first], 0, sizeof(eight))
        for i in range(8):
            if eight[i].n != 0:
                insert(s, Key(eight[i].low, eight[i].high, hash_of(eight[i].low, eight[i].high)),
                       &eight[i])
