"""The CRC of any part of a buffer, in about the time that two blocks take.

A search over damaged bytes may meet a forged header every twelve bytes, and each may claim much of
the buffer. Summing every claim would take quadratic time. So the CRC of each prefix of the buffer
is stored, block by block, and the CRC of a claim is combined from two of them:

    until[first] |<-- head -->|<------- blocks ------->|<-- tail -->|
    ...--+-------|------------+------------+-----------|------------+--...
                from    first * BLOCK            last * BLOCK      end

    body             = move(crc(head) ^ until[first], blocks) ^ until[last]
    crc(from .. end) = move(body, tail) ^ crc(tail)

Here move is move_crc. The table takes 1/64 of the buffer.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport malloc

from bytes_le cimport load32
from crc32c cimport crc32c, mask_crc, move_crc
from frame cimport CRC_INSTRUCTION, OK, OUT_OF_MEMORY, Error, Frame, fail

cdef enum:
    BLOCK = 256

cdef struct Sums:
    uint32_t instruction  # CRC_INSTRUCTION or 0
    const uint8_t *data   # the place in the buffer at which the call began
    int64_t size          # the number of bytes from there on
    int64_t in_vain       # bytes of payloads that were summed and turned out to be bad
    int64_t n             # blocks whose entry in `until` is computed
    uint32_t *until       # until[i]: the CRC of the first i blocks; NULL: none yet


cdef inline bint reach(Sums *sums, int64_t last) noexcept nogil:
    """Extend the table to the end of block `last`."""
    if sums.until == NULL:
        sums.until = <uint32_t *>malloc((sums.size // BLOCK + 1) * sizeof(uint32_t))
        if sums.until == NULL:
            return False
        sums.until[0] = 0
    while sums.n < last:
        sums.until[sums.n + 1] = (move_crc(sums.until[sums.n], BLOCK)
                                  ^ crc32c(sums.data + sums.n * BLOCK, BLOCK, sums.instruction))
        sums.n += 1
    return True


cdef inline int check_payload(Sums *sums, int64_t passed, const Frame *frame, bint *good,
                              Error *error) noexcept nogil:
    """Check the payload of a frame. Return OK, or OUT_OF_MEMORY. A payload is summed directly as
    long as fewer bytes have been summed in vain than have been passed."""
    cdef int64_t start = frame.data - sums.data, stop = start + frame.size
    cdef int64_t first = (start + BLOCK - 1) // BLOCK, last = stop // BLOCK, head, tail
    cdef uint32_t crc
    if sums.in_vain <= passed or first >= last:
        crc = crc32c(frame.data, frame.size, sums.instruction)
    elif not reach(sums, last):
        return fail(error, OUT_OF_MEMORY, 0, 0, 0, 0)
    else:
        head = first * BLOCK - start
        tail = stop - last * BLOCK
        crc = crc32c(frame.data, head, sums.instruction) ^ sums.until[first]
        crc = move_crc(crc, (last - first) * BLOCK) ^ sums.until[last]
        crc = (move_crc(crc, tail)
               ^ crc32c(frame.data + frame.size - tail, tail, sums.instruction))
    good[0] = mask_crc(crc) == load32(frame.data + frame.size)
    return OK
