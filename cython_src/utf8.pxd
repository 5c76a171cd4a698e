"""UTF-8: checking it, and reading the next code point."""

from libc.stdint cimport uint8_t, uint32_t

from bytes_le cimport load64


cdef inline bint continues(const uint8_t *at, int n) noexcept nogil:
    """Return True if n continuation bytes follow."""
    cdef int i
    for i in range(n):
        if at[i] & 0xc0 != 0x80:
            return False
    return True


cdef inline int sequence_size(const uint8_t *at, size_t left) noexcept nogil:
    """Return the number of bytes of the sequence at `at`, or 0 if it is not valid UTF-8."""
    cdef uint8_t lead = at[0], second = at[1] if left > 1 else 0
    if lead < 0x80:
        return 1
    if lead < 0xc2 or lead > 0xf4:
        return 0
    if lead < 0xe0:
        return 2 if left >= 2 and continues(at + 1, 1) else 0
    if lead < 0xf0:
        if lead == 0xe0 and second < 0xa0 or lead == 0xed and second > 0x9f:  # overlong, surrogate
            return 0
        return 3 if left >= 3 and continues(at + 1, 2) else 0
    if lead == 0xf0 and second < 0x90 or lead == 0xf4 and second > 0x8f:  # overlong, too large
        return 0
    return 4 if left >= 4 and continues(at + 1, 3) else 0


cdef inline size_t valid_utf8(const uint8_t *text, size_t size) noexcept nogil:
    """Return the number of bytes before the first bad sequence; `size` if there is none."""
    cdef size_t at = 0
    cdef int n
    while at < size:
        if size - at >= 8 and load64(text + at) & <unsigned long long>0x8080808080808080 == 0:
            at += 8
            continue
        n = sequence_size(text + at, size - at)
        if n == 0:
            break
        at += n
    return at


cdef inline uint32_t code_point(const uint8_t *at, size_t left, int *size) noexcept nogil:
    """Return the next code point of valid UTF-8. If the text is not valid (another thread may write
    to it), return any number, and stay within bounds."""
    cdef uint32_t lead = at[0]
    size[0] = 1
    if lead < 0x80:
        return lead
    if lead >= 0xf0 and left >= 4:
        size[0] = 4
        return (lead & 7) << 18 | (at[1] & 63) << 12 | (at[2] & 63) << 6 | at[3] & 63
    if lead >= 0xe0 and left >= 3:
        size[0] = 3
        return (lead & 15) << 12 | (at[1] & 63) << 6 | at[2] & 63
    if left >= 2:
        size[0] = 2
        return (lead & 31) << 6 | at[1] & 63
    return lead
