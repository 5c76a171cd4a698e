"""The padding is written out, as bytes that nobody uses."""

import ctypes
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("libreadings.so")))
NAMES = "sensor", "time", "value", "error", "level"


class Reading(ctypes.Structure):
    _pack_ = 1
    _fields_ = [
        ("sensor", ctypes.c_uint8),
        ("_3", ctypes.c_char * 3),
        ("time", ctypes.c_uint32),
        ("value", ctypes.c_float),
        ("_4", ctypes.c_char * 4),
        ("error", ctypes.c_double),
        ("level", ctypes.c_int16),
        ("_6", ctypes.c_char * 6),
    ]


def _reading(values):
    return Reading(**dict(zip(NAMES, values, strict=True)))


def _values(reading):
    return tuple([getattr(reading, name) for name in NAMES])


lib.reading_mean.restype = Reading
lib.reading_mean.argtypes = [Reading] * 2


def mean(a, b):
    return _values(lib.reading_mean(_reading(a), _reading(b)))


def scaled(reading, factor):
    changed = _reading(reading)
    if lib.reading_scale(ctypes.pointer(changed), ctypes.c_double(factor)) == -1:
        raise ValueError(factor)
    return _values(changed)
