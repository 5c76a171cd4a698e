"""The solution with a function prototype, which is bound to the library and has its types."""

from ctypes import CDLL, CFUNCTYPE, c_char_p, c_size_t, c_uint32
from pathlib import Path

_library = CDLL(str(Path(__file__).parent / "libcrc32.so"))
_crc32 = CFUNCTYPE(c_uint32, c_char_p, c_size_t, c_uint32)(("crc32", _library))


def crc32(data, before=0):
    return _crc32(data, len(data), before)
