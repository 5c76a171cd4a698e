import ctypes
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("libreadings.so")))


class Reading(ctypes.Structure):
    """The struct `reading`."""

    _fields_ = [
        ("sensor", ctypes.c_uint8),
        ("time", ctypes.c_uint32),
        ("value", ctypes.c_float),
        ("error", ctypes.c_double),
        ("level", ctypes.c_int16),
    ]

    def astuple(self):
        """Return the fields in their order."""
        return tuple(getattr(self, name) for name, _ in self._fields_)


lib.reading_mean.argtypes = [Reading, Reading]
lib.reading_mean.restype = Reading
lib.reading_scale.argtypes = [ctypes.POINTER(Reading), ctypes.c_double]
lib.reading_scale.restype = ctypes.c_int


def mean(a, b):
    """Return the mean of two readings."""
    return lib.reading_mean(Reading(*a), Reading(*b)).astuple()


def scaled(reading, factor):
    """Return the reading with its value and its error multiplied."""
    changed = Reading(*reading)
    if lib.reading_scale(ctypes.byref(changed), factor) < 0:
        raise ValueError(f"factor must be positive, not {factor}")
    return changed.astuple()
