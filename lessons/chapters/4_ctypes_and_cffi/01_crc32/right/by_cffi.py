"""The same by cffi: the prototype is C, and the result is unsigned because it says so."""

from pathlib import Path

from cffi import FFI

ffi = FFI()
ffi.cdef("uint32_t crc32(const uint8_t *data, size_t size, uint32_t before);")
lib = ffi.dlopen(str(Path(__file__).with_name("libcrc32.so")))


def crc32(data, before=0):
    return lib.crc32(ffi.from_buffer("uint8_t[]", data), len(data), before)
