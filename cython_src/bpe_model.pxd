"""A byte-level BPE model: pointers into the caller's blob.

docs/tokenizer.md is the specification. Opening a model proves that every section lies within the
blob; their contents are checked where they are used (bpe_tables.pxd)."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memcmp

from bpe_interrupt cimport Interrupt
from bytes_le cimport load32, load64

cdef enum:
    HEADER_SIZE = 192
    INDEX_SIZE = 8704  # one entry per 128 code points
    SHORT = 15         # bytes of the longest token in the short table

cdef enum:  # error codes
    OK = 0
    CAPACITY = 14
    DATA_CAPACITY = 15
    UTF8 = 17
    SPECIAL = 18
    UNKNOWN_ID = 19
    ARGUMENT = 20
    INTERRUPTED = 34

cdef extern from *:
    """
    #define NO_ID UINT32_MAX
    #define NO_PAIR UINT64_MAX
    #define K1 UINT64_C(0x9E3779B97F4A7C15)
    #define K2 UINT64_C(0xC2B2AE3D27D4EB4F)
    """
    const uint32_t NO_ID
    const uint64_t K1, K2, NO_PAIR

cdef struct Model:
    uint32_t pattern, max_digits, n_ids, n_special, short_bits, long_bits, pair_bits, n_merged
    const uint16_t *unicode_index
    const uint8_t *unicode_blocks
    uint8_t[128] ascii  # the classes of the first code points, each as a set of one
    bint plain          # the classes are those of Unicode
    const uint32_t *byte_ids
    const uint8_t *short_keys
    const uint32_t *short_ids
    const uint32_t *long_ids
    const uint64_t *pairs
    const uint8_t *defined
    const uint32_t *token_offsets
    const uint8_t *token_bytes
    const uint32_t *special_ids
    const uint32_t *byte_pairs
    const uint8_t *pair_filter
    const uint32_t *merged
    const uint32_t *special_prefixes
    bint[256] special_starts  # the bytes that special tokens begin with
    size_t n_common  # the number of bytes that all of them share at their start
    Interrupt *interrupt  # NULL, or the interrupt of the one call that uses this copy


# ---- open ----------------------------------------------------------------------------------------


cdef inline const void *section(const uint8_t *blob, size_t size, int at,
                                uint64_t wanted) noexcept nogil:
    """Return the section whose offset the header has at `at`, or NULL if it exceeds the blob."""
    cdef uint64_t offset = load64(blob + at)
    if offset < HEADER_SIZE or offset & 63 != 0 or offset > size or wanted > size - offset:
        return NULL
    return blob + offset


cdef inline bint sane_bits(uint32_t bits) noexcept nogil:
    return 1 <= bits <= 30


cdef inline int unicode_class(int c) noexcept nogil:
    """Return the class of an ASCII character."""
    if c'A' <= c <= c'Z':
        return 1
    if c'a' <= c <= c'z':
        return 2
    if c'0' <= c <= c'9':
        return 5
    return 6 if c == c' ' or 9 <= c <= 13 else 0


cdef inline bint open_model(Model *m, const uint8_t *blob, size_t size) noexcept nogil:
    cdef uint32_t n_blocks, i
    if <uintptr_t>blob & 7 != 0 or size < HEADER_SIZE or load64(blob + 8) != size:
        return False
    if memcmp(blob, b"ckbpe\0\0\3", 8) != 0:
        return False
    m.pattern = load32(blob + 16)
    m.max_digits = load32(blob + 20)
    m.n_ids = load32(blob + 24)
    m.n_special = load32(blob + 28)
    m.short_bits = load32(blob + 32)
    m.long_bits = load32(blob + 36)
    m.pair_bits = load32(blob + 40)
    n_blocks = load32(blob + 44)
    m.n_merged = load32(blob + 168)
    if not (1 <= m.pattern <= 3 and 1 <= n_blocks <= 256 and sane_bits(m.short_bits)
            and sane_bits(m.long_bits) and sane_bits(m.pair_bits)):
        return False
    m.unicode_index = <const uint16_t *>section(blob, size, 48, 2 * INDEX_SIZE)
    m.unicode_blocks = <const uint8_t *>section(blob, size, 56, 128 * n_blocks)
    m.byte_ids = <const uint32_t *>section(blob, size, 64, 4 * 256)
    m.short_keys = <const uint8_t *>section(blob, size, 72, <uint64_t>16 << m.short_bits)
    m.short_ids = <const uint32_t *>section(blob, size, 80, <uint64_t>4 << m.short_bits)
    m.long_ids = <const uint32_t *>section(blob, size, 88, <uint64_t>4 << m.long_bits)
    m.pairs = <const uint64_t *>section(blob, size, 96, <uint64_t>8 << m.pair_bits)
    m.defined = <const uint8_t *>section(blob, size, 104, m.n_ids)
    m.token_offsets = <const uint32_t *>section(blob, size, 112, 4 * (<uint64_t>m.n_ids + 1))
    m.special_ids = <const uint32_t *>section(blob, size, 128, <uint64_t>4 * m.n_special)
    m.byte_pairs = <const uint32_t *>section(blob, size, 136, 4 * 65536)
    m.pair_filter = <const uint8_t *>section(blob, size, 144, <uint64_t>1 << m.pair_bits >> 1)
    m.merged = <const uint32_t *>section(blob, size, 152, <uint64_t>4 * m.n_merged)
    m.special_prefixes = <const uint32_t *>section(blob, size, 160, <uint64_t>4 * m.n_special)
    if not (m.unicode_index and m.unicode_blocks and m.byte_ids and m.short_keys and m.short_ids
            and m.long_ids and m.pairs and m.defined and m.token_offsets and m.special_ids
            and m.byte_pairs and m.pair_filter and m.merged and m.special_prefixes):
        return False
    m.token_bytes = <const uint8_t *>section(blob, size, 120, m.token_offsets[m.n_ids])
    for i in range(INDEX_SIZE):
        if m.unicode_index[i] >= n_blocks:
            return False
    for i in range(128 * n_blocks):
        if m.unicode_blocks[i] > 6:
            return False
    m.interrupt = NULL
    m.plain = True
    for i in range(128):
        m.ascii[i] = 1 << m.unicode_blocks[128 * m.unicode_index[0] + i]
        m.plain = m.plain and m.ascii[i] == 1 << unicode_class(i)
    return m.token_bytes != NULL
