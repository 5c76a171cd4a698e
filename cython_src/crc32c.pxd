"""CRC-32C (Castagnoli): with the instruction that x86-64 has for it since SSE 4.2, or by tables,
eight bytes at a time."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from bytes_le cimport load64

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
    static uint32_t crc_table[8][256];
    """
    uint64_t crc_eight_bytes(uint64_t crc, uint64_t bytes) nogil
    uint32_t crc_one_byte(uint32_t crc, uint8_t byte) nogil
    uint32_t[8][256] crc_table


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


cdef inline void fill_crc_table() noexcept nogil:
    """Once, before the first crc32c: row k has the CRC of a byte that k zero bytes follow."""
    cdef uint32_t crc, byte, i
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
