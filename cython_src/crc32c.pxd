"""CRC-32C (Castagnoli), with the instruction of x86-64 since SSE 4.2, or with tables, eight bytes
at a time."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from bytes_le cimport load32, load64

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #if defined(__x86_64__)
    #define CRC_TARGET __attribute__((target("sse4.2")))
    #define crc_eight_bytes(crc, bytes) __builtin_ia32_crc32di(crc, bytes)
    #define crc_one_byte(crc, byte) __builtin_ia32_crc32qi(crc, byte)
    #else
    #define CRC_TARGET
    #define crc_eight_bytes(crc, bytes) (crc) /* never called */
    #define crc_one_byte(crc, byte) (crc)
    #endif
    static CRC_TARGET uint32_t crc32c_by_instruction(const uint8_t *, size_t);
    static CRC_TARGET int64_t find_header_by_instruction(const uint8_t *, int64_t, int64_t);
    static uint32_t crc_table[8][256], crc_powers[31];
    """
    uint64_t crc_eight_bytes(uint64_t crc, uint64_t bytes) nogil
    uint32_t crc_one_byte(uint32_t crc, uint8_t byte) nogil
    uint32_t[8][256] crc_table
    uint32_t[31] crc_powers


cdef inline uint32_t by_instruction "crc32c_by_instruction"(const uint8_t *data,
                                                            size_t size) noexcept nogil:
    cdef uint64_t crc = 0xffffffff
    cdef uint32_t rest
    while size >= 8:
        crc = crc_eight_bytes(crc, load64(data))
        data += 8
        size -= 8
    rest = <uint32_t>crc
    while size > 0:
        rest = crc_one_byte(rest, data[0])
        data += 1
        size -= 1
    return ~rest


cdef inline uint32_t times(uint32_t a, uint32_t b) noexcept nogil:
    """Return the product modulo the polynomial; bit 31 is the coefficient of x^0."""
    cdef uint32_t product = 0
    cdef int bit
    for bit in range(31, -1, -1):
        product ^= b & -(a >> bit & 1)
        b = b >> 1 ^ (<uint32_t>0x82f63b78 & -(b & 1))
    return product


cdef inline uint32_t move_crc(uint32_t crc, uint64_t size) noexcept nogil:
    """Return the contribution of `crc`, the CRC of data a, to the CRC of a followed by `size` bytes
    b: crc(a b) == move_crc(crc(a), size of b) ^ crc(b). The powers repeat after 31."""
    cdef int k = 3
    while size > 0:
        if size & 1:
            crc = times(crc, crc_powers[k])
        size >>= 1
        k = (k + 1) % 31
    return crc


cdef inline void fill_crc_table() noexcept nogil:
    """Fill the tables, once, before the first crc32c. Row k has the CRC of a byte that k zero bytes
    follow, and power k is x^(2^k)."""
    cdef uint32_t crc, byte, i
    crc_powers[0] = 0x40000000
    for i in range(1, 31):
        crc_powers[i] = times(crc_powers[i - 1], crc_powers[i - 1])
    for byte in range(256):
        crc = byte
        for i in range(8):
            crc = crc >> 1 ^ (<uint32_t>0x82f63b78 if crc & 1 else 0)
        crc_table[0][byte] = crc
    for byte in range(256):
        for i in range(1, 8):
            crc = crc_table[i - 1][byte]
            crc_table[i][byte] = crc >> 8 ^ crc_table[0][crc & 255]


cdef inline uint32_t by_table(const uint8_t *data, size_t size) noexcept nogil:
    cdef uint32_t crc = 0xffffffff
    cdef uint64_t x
    while size >= 8:
        x = load64(data) ^ crc
        crc = (crc_table[7][x & 255] ^ crc_table[6][x >> 8 & 255]
               ^ crc_table[5][x >> 16 & 255] ^ crc_table[4][x >> 24 & 255]
               ^ crc_table[3][x >> 32 & 255] ^ crc_table[2][x >> 40 & 255]
               ^ crc_table[1][x >> 48 & 255] ^ crc_table[0][x >> 56])
        data += 8
        size -= 8
    while size > 0:
        crc = crc >> 8 ^ crc_table[0][(crc ^ data[0]) & 255]
        data += 1
        size -= 1
    return ~crc


cdef inline uint32_t crc32c(const uint8_t *data, size_t size, bint has_instruction) noexcept nogil:
    return by_instruction(data, size) if has_instruction else by_table(data, size)


cdef inline uint32_t mask_crc(uint32_t crc) noexcept nogil:
    """Return the CRC as TFRecord stores it."""
    return (crc >> 15 | crc << 17) + <uint32_t>0xa282ead8


cdef inline int64_t find_header(const uint8_t *data, int64_t start, int64_t stop,
                                bint has_instruction) noexcept nogil:
    """Return the first offset from `start` on and below `stop` at which there is a header of a
    TFRecord, eight bytes and their masked CRC; or `stop`. This also reads the eleven bytes from
    `stop` on."""
    if has_instruction:
        return find_by_instruction(data, start, stop)
    while start < stop and mask_crc(by_table(data + start, 8)) != load32(data + start + 8):
        start += 1
    return start


cdef inline int64_t find_by_instruction "find_header_by_instruction"(
        const uint8_t *data, int64_t start, int64_t stop) noexcept nogil:
    while start < stop and (mask_crc(~<uint32_t>crc_eight_bytes(0xffffffff, load64(data + start)))
                            != load32(data + start + 8)):
        start += 1
    return start
