import ctypes
from pathlib import Path

import numpy as np

VERIFY, FINAL = 1, 2
FAULTS = {
    1: "the data ends inside the record",
    2: "the CRC of the length is wrong",
    3: "the CRC of the data is wrong",
    4: "the cursor is not in the data, or not in spans",
}


class Error(ctypes.Structure):
    """frames_error."""

    _fields_ = [(name, ctypes.c_int64) for name in ("code", "record", "offset")]


lib = ctypes.CDLL(str(Path(__file__).with_name("libframes.so")))
lib.frames_index.argtypes = [
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_uint32,
    ctypes.c_void_p,
    ctypes.POINTER(Error),
]
lib.frames_index.restype = ctypes.c_int


def _check(name, array, shape):
    if not isinstance(array, np.ndarray) or array.dtype != np.int64:
        raise TypeError(f"{name} must be an int64 array")
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, not {array.shape}")
    if not array.flags.carray:
        raise ValueError(f"{name} must be C-contiguous and writable")


def index_records(buffer, spans, cursor, verify=True, final=True, resync=False):
    """Find the records of a buffer, and return the number of rows filled."""
    if resync:
        raise NotImplementedError("resync")
    _check("spans", spans, (len(spans), 2))
    _check("cursor", cursor, (4,))
    data = np.frombuffer(buffer, np.uint8)
    options = (VERIFY if verify else 0) | (FINAL if final else 0)
    error = Error()
    lib.frames_index(
        data.ctypes.data,
        data.size,
        spans.ctypes.data,
        len(spans),
        options,
        cursor.ctypes.data,
        ctypes.byref(error),
    )
    if error.code:
        fault = FAULTS[error.code]
        raise ValueError(f"record {error.record} at byte {error.offset}: {fault}")
    return int(cursor[3])
