"""With ndpointer for the three arrays; its ArgumentError is translated."""

import ctypes
from pathlib import Path

import numpy as np
from numpy.ctypeslib import ndpointer

_CODES = ["", "truncated", "length CRC", "data CRC", "cursor"]
_DATA = ndpointer(np.uint8, ndim=1, flags="C_CONTIGUOUS")
_TABLE = ndpointer(np.int64, ndim=2, flags="C_CONTIGUOUS, WRITEABLE")
_STATE = ndpointer(np.int64, shape=(4,), flags="C_CONTIGUOUS, WRITEABLE")
_frames = ctypes.CDLL(str(Path(__file__).with_name("libframes.so")))
_frames.frames_index.argtypes = [
    _DATA,
    ctypes.c_size_t,
    _TABLE,
    ctypes.c_size_t,
    ctypes.c_uint32,
    _STATE,
    ctypes.POINTER(ctypes.c_int64),
]


def index_records(buffer, spans, cursor, verify=True, final=True, resync=False):
    if resync:
        raise NotImplementedError
    for array in spans, cursor:
        if not (isinstance(array, np.ndarray) and array.dtype == np.int64):
            raise TypeError("spans and cursor must be int64 arrays")
    if spans.shape[1:] != (2,):
        raise ValueError("spans")
    options = int(bool(verify)) + 2 * int(bool(final))
    error = (ctypes.c_int64 * 3)()
    data = np.frombuffer(buffer, np.uint8)
    try:
        _frames.frames_index(data, data.size, spans, len(spans), options, cursor, error)
    except ctypes.ArgumentError as wrong:
        raise ValueError(str(wrong)) from None
    code, record, offset = error
    if code:
        raise ValueError(f"record {record} at byte {offset}: {_CODES[code]}")
    return cursor.item(3)
