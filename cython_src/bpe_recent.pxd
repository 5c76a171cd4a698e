"""What recent pieces became: a table that begins small, doubles in place where it fills up, and has a
newer piece take the place of an older one when it is as large as it may be."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from bpe_tables cimport Key, hash_of, is_long

cdef extern from *:
    """
    #define FAR (UINT32_C(1) << 31)
    """
    const uint32_t FAR  # added to `n` if the ids are in the ring, behind the bytes of a long piece

cdef enum:
    FIRST_BITS = 13  # lines at first, and at last, as powers of two
    LAST_BITS = 17
    NEAR = 3         # ids beside their piece
    KEPT = 2048      # bytes of the longest piece that is remembered
    RING = 6 << 20
    CROWDED = 31     # what a piece without room counts: where one is, others will be soon

cdef struct Recent:     # two of them are a line of the processor's cache
    uint64_t low, high  # of its key; 0 if there is none
    uint32_t[NEAR] ids  # or, in two of them, where in the ring they are
    uint32_t n

# All zeros at first. Lines fill from the front, and a piece for which its own has no room is in one of
# the three beside it, so that a look-up ends where there is room.
cdef struct Scratch:
    Recent[2 << LAST_BITS] recent
    uint8_t[RING] ring    # the newest overwrite the oldest
    uint64_t written      # bytes ever
    size_t doubled, came  # how often; how many pieces came since, those without room counted more
    void *memory          # which this lies in


cdef inline bint holds(const Recent *recent, Key key) noexcept nogil:
    return ((recent.low ^ key.low) | (recent.high ^ key.high)) == 0


cdef inline size_t own_line(const Scratch *s, Key key) noexcept nogil:
    """The index of its first piece."""
    return key.hash >> (64 - FIRST_BITS - s.doubled) << 1


cdef inline const Recent *find(const Scratch *s, Key key) noexcept nogil:
    cdef size_t line = own_line(s, key), i
    cdef const Recent *two
    for i in range(0, 8, 2):
        two = &s.recent[line ^ i]
        if holds(two, key):
            return two
        if holds(two + 1, key):
            return two + 1
        if two[1].n == 0:
            break
    return NULL


cdef inline size_t far_ids(const Scratch *s, const Recent *recent, Key key, const uint8_t *piece,
                           size_t size, uint32_t *ids, size_t most) noexcept nogil:
    """Those that are in the ring, `most` of them; how many. 0: they are no longer there, or too many,
    or those of another piece."""
    cdef uint64_t place = recent.ids[0] | <uint64_t>recent.ids[1] << 32
    cdef const uint8_t *kept = s.ring + place % RING
    cdef size_t n = recent.n & ~FAR
    if n > most or s.written - place > RING:
        return 0
    if is_long(key):
        if memcmp(kept, piece, size) != 0:
            return 0
        kept += size
    memcpy(ids, kept, n * sizeof(uint32_t))
    return n


cdef inline uint64_t keep(Scratch *s, const uint8_t *bytes, size_t size, const uint32_t *ids,
                          size_t n) noexcept nogil:
    """In a row, in the place of the oldest; where."""
    cdef size_t wanted = size + n * sizeof(uint32_t), left = RING - s.written % RING
    cdef uint64_t place = s.written + (left if wanted > left else 0)
    s.written = place + wanted
    memcpy(s.ring + place % RING, bytes, size)
    memcpy(s.ring + place % RING + size, ids, n * sizeof(uint32_t))
    return place


cdef inline void insert(Scratch *s, Key key, const Recent *new) noexcept nogil:
    """Where there is room, else in the place of one of its own line's."""
    cdef size_t line = own_line(s, key), i, place
    for i in range(8):
        place = line ^ i
        if s.recent[place].n == 0 or holds(&s.recent[place], key):
            s.came += 1
            break
    else:
        s.came += CROWDED  # an odd number: the two take turns
        place = line | s.came & 1
    s.recent[place] = new[0]


cdef inline void remember(Scratch *s, Key key, const uint8_t *piece, size_t size,
                          const uint32_t *ids, size_t n) noexcept nogil:
    """The ids of a piece of at most KEPT bytes, which are those of the key."""
    cdef Recent new
    cdef uint64_t place
    memset(&new, 0, sizeof(new))
    new.low, new.high, new.n = key.low, key.high, <uint32_t>n
    if is_long(key) or n > NEAR:
        place = keep(s, piece, size if is_long(key) else 0, ids, n)
        new.ids[0], new.ids[1] = <uint32_t>place, <uint32_t>(place >> 32)
        new.n |= FAR
    else:
        memcpy(new.ids, ids, n * sizeof(uint32_t))
    insert(s, key, &new)


cdef inline void grow(Scratch *s) noexcept nogil:
    """Doubles a table that is half full, if it may: pieces move. From the last lines to the first, since
    those of four belong into the eight of twice the number."""
    cdef size_t lines = <size_t>1 << (FIRST_BITS + s.doubled), first, i
    cdef Recent[8] eight
    if FIRST_BITS + s.doubled == LAST_BITS or s.came < lines:
        return
    s.doubled += 1
    s.came = 0
    first = 2 * lines
    while first > 0:
        first -= 8
        memcpy(eight, &s.recent[first], sizeof(eight))
        memset(&s.recent[first], 0, sizeof(eight))
        for i in range(8):
            if eight[i].n != 0:
                insert(s, Key(eight[i].low, eight[i].high, hash_of(eight[i].low, eight[i].high)),
                       &eight[i])
