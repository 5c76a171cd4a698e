"""Write TFRecord frames: length, CRC of the length, payload, CRC of the payload."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from crc32c cimport crc32c, mask_crc

cdef enum:
    FRAMING = 16  # bytes before and after the data


cdef inline uint8_t *store(uint8_t *at, uint64_t value, int n) noexcept nogil:
    """Write the lowest `n` bytes of an integer, and return their end."""
    cdef int i
    for i in range(n):
        at[i] = <uint8_t>(value >> 8 * i)
    return at + n


cdef inline uint8_t *frame_record(const uint8_t *data, size_t size, uint8_t *out,
                                  bint has_instruction) noexcept nogil:
    """Write the frame of a record, `size` + FRAMING bytes, and return its end."""
    cdef uint8_t *header = out
    out = store(out, size, 8)
    out = store(out, mask_crc(crc32c(header, 8, has_instruction)), 4)
    memcpy(out, data, size)
    return store(out + size, mask_crc(crc32c(data, size, has_instruction)), 4)
