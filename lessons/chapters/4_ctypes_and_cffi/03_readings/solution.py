"""Declare a C struct, and pass it by value and by pointer.

libreadings.so lies beside this file, with

    typedef struct {
      uint8_t sensor;
      uint32_t time;
      float value;
      double error;
      int16_t level;
    } reading;

    reading reading_mean(reading a, reading b);      the mean of two readings
    int reading_scale(reading *r, double factor);    changes *r; -1 if factor is not positive

Write the class Reading, with the fields of the struct under the same names, and two functions that
take and return a reading as a tuple of five numbers:

    >>> exercise.mean((1, 500, 2.0, 0.25, -3), (2, 700, 3.0, 0.125, 9))
    (1, 700, 2.5, 0.25, -3)
    >>> exercise.scaled((1, 500, 2.0, 0.25, -3), 4.0)
    (1, 500, 8.0, 1.0, -3)

Where C returns -1, `scaled` raises ValueError.
"""

import ctypes
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("libreadings.so")))


class Reading(ctypes.Structure):
    """The struct `reading`."""

    #: _fields_ = [("sensor", ctypes.c_uint8)]  # TODO: the other fields
    # BEGIN SOLUTION
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
# END SOLUTION


def mean(a, b):
    """Return the mean of two readings."""
    #: return a  # TODO
    # BEGIN SOLUTION
    return lib.reading_mean(Reading(*a), Reading(*b)).astuple()
    # END SOLUTION


def scaled(reading, factor):
    """Return the reading with its value and its error multiplied."""
    #: return reading  # TODO
    # BEGIN SOLUTION
    changed = Reading(*reading)
    if lib.reading_scale(ctypes.byref(changed), factor) < 0:
        raise ValueError(f"factor must be positive, not {factor}")
    return changed.astuple()
    # END SOLUTION
