"""A nested struct for the measurement, and an errcheck for the code."""

from ctypes import CDLL, POINTER, Structure, c_double, c_float, c_int, c_int16, c_uint8, c_uint32
from pathlib import Path

_lib = CDLL(str(Path(__file__).with_name("libreadings.so")))


class Reading(Structure):
    _fields_ = (
        ("sensor", c_uint8),
        ("time", c_uint32),
        ("value", c_float),
        ("error", c_double),
        ("level", c_int16),
    )


def _refused(code, function, arguments):
    if code != 0:
        raise ValueError("factor must be positive")
    return arguments[0]


_mean = _lib.reading_mean
_mean.restype, _mean.argtypes = Reading, (Reading, Reading)
_scale = _lib.reading_scale
_scale.restype, _scale.argtypes, _scale.errcheck = c_int, (POINTER(Reading), c_double), _refused


def _out(r):
    return (r.sensor, r.time, r.value, r.error, r.level)


def mean(a, b):
    return _out(_mean(Reading(*a), Reading(*b)))


def scaled(reading, factor):
    return _out(_scale(Reading(*reading), factor))
