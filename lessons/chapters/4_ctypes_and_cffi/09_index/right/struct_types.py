"""With a Structure for each struct, made of the arrays' own memory by from_buffer."""

from ctypes import CDLL, POINTER, Structure, byref, c_int, c_int64, c_size_t, c_uint32, c_void_p
from pathlib import Path

import numpy as np


class Span(Structure):
    _fields_ = [("offset", c_int64), ("size", c_int64)]


class Cursor(Structure):
    _fields_ = [("base", c_int64), ("position", c_int64), ("record", c_int64), ("rows", c_int64)]


class Error(Structure):
    _fields_ = [("code", c_int64), ("record", c_int64), ("offset", c_int64)]


_index = CDLL(str(Path(__file__).with_name("libframes.so"))).frames_index
_index.restype = c_int
_index.argtypes = (
    c_void_p,
    c_size_t,
    POINTER(Span),
    c_size_t,
    c_uint32,
    POINTER(Cursor),
    POINTER(Error),
)


def index_records(buffer, spans, cursor, verify=True, final=True, resync=False):
    if resync is not False:
        raise NotImplementedError("resync is for another day")
    for name, array, ndim in (("spans", spans, 2), ("cursor", cursor, 1)):
        if getattr(array, "dtype", None) != np.dtype(np.int64):
            raise TypeError(f"{name} must be int64")
        if array.ndim != ndim or array.shape[-1] != (2 if ndim == 2 else 4):
            raise ValueError(f"{name} has the shape {array.shape}")
        if not array.flags["C"] or not array.flags["W"]:
            raise ValueError(f"{name} cannot be filled")
    n, error = len(spans), Error()
    view = memoryview(buffer).cast("B")
    try:
        state = Cursor.from_buffer(cursor)
        address = np.asarray(view).ctypes.data
        rows = (Span * n).from_buffer(spans) if n else None
        if _index(address, len(view), rows, n, verify | final << 1, byref(state), byref(error)):
            raise ValueError(f"record {error.record} at byte {error.offset}")
        return state.rows
    finally:
        view.release()
