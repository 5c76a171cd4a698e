"""The struct's bytes are packed by the module struct, which knows C's padding too."""

import ctypes
import struct
from pathlib import Path

FORMAT = "@BIfdh0d"  # 0d: as long as an array of such structs needs it
lib = ctypes.CDLL(str(Path(__file__).with_name("libreadings.so")))


class Reading(ctypes.Structure):
    _fields_ = [
        ("sensor", ctypes.c_ubyte),
        ("time", ctypes.c_uint),
        ("value", ctypes.c_float),
        ("error", ctypes.c_double),
        ("level", ctypes.c_short),
    ]


lib.reading_mean.argtypes = (Reading, Reading)
lib.reading_mean.restype = Reading
lib.reading_scale.argtypes = (ctypes.c_void_p, ctypes.c_double)


def mean(a, b):
    x, y = (Reading.from_buffer_copy(struct.pack(FORMAT, *values)) for values in (a, b))
    return struct.unpack(FORMAT, bytes(lib.reading_mean(x, y)))


def scaled(reading, factor):
    memory = bytearray(struct.pack(FORMAT, *reading))
    if lib.reading_scale((ctypes.c_char * len(memory)).from_buffer(memory), factor):
        raise ValueError("the factor is not positive")
    return struct.unpack(FORMAT, memory)
