"""Bind a real kernel: index_records, the index of a TFRecord file.

libframes.so lies beside this file; frames.h says what its function does. Write the binding with the
name and the signature that all bindings of this project have (bindings/protocol/backend.py), so
that it can be measured beside them:

    index_records(buffer, spans, cursor, verify=True, final=True, resync=False) -> int

buffer   any contiguous buffer; it may be read-only, and it is borrowed only for the call
spans    an int64 array of shape (n, 2), which is filled
cursor   an int64 array of shape (4,): base, position, record and rows, which C reads and updates
verify   FRAMES_VERIFY;  final   FRAMES_FINAL;  resync   raises NotImplementedError if it is true

    >>> spans, cursor = np.zeros((9, 2), np.int64), np.zeros(4, np.int64)
    >>> exercise.index_records(data, spans, cursor)       # data has the records b"abc" and b""
    2
    >>> spans[:2].tolist(), cursor.tolist()
    ([[12, 3], [31, 0]], [0, 35, 2, 2])

It returns the number of rows, cursor[3]. The arrays must be C-contiguous and writable; TypeError is
raised if one is not an int64 array, and ValueError if it has another fault. A fault in the data
raises ValueError with a message that names the record: "record 1 at byte 19: ...".
"""

import ctypes
from pathlib import Path

import numpy as np

#: lib = ctypes.CDLL(str(Path(__file__).with_name("libframes.so")))
# BEGIN SOLUTION
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


# END SOLUTION


def index_records(buffer, spans, cursor, verify=True, final=True, resync=False):
    """Find the records of a buffer, and return the number of rows filled."""
    #: # TODO
    #: return int(np.zeros(4)[3])
    # BEGIN SOLUTION
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
    # END SOLUTION
