"""Load of little-endian numbers at any address. The compiler makes one load of each function."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

# Another thread may write to the input, so a number that is checked must be the number that is
# used. read_once hides where a value came from, so that the compiler cannot read it again.
cdef extern from *:
    """
    #include <stdint.h>
    static inline uint64_t read_once(uint64_t value) {
      __asm__("" : "+r"(value));
      return value;
    }
    """
    uint64_t read_once(uint64_t value) nogil


cdef inline uint32_t load32(const uint8_t *at) noexcept nogil:
    return <uint32_t>at[0] | <uint32_t>at[1] << 8 | <uint32_t>at[2] << 16 | <uint32_t>at[3] << 24


cdef inline uint64_t load64(const uint8_t *at) noexcept nogil:
    return load32(at) | <uint64_t>load32(at + 4) << 32
