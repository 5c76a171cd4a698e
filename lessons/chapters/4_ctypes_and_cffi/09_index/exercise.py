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

lib = ctypes.CDLL(str(Path(__file__).with_name("libframes.so")))


def index_records(buffer, spans, cursor, verify=True, final=True, resync=False):
    """Find the records of a buffer, and return the number of rows filled."""
    # TODO
    return int(np.zeros(4)[3])
