"""The same by ctypes, whose arrays are made of a buffer as well."""

import ctypes
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("libsummary.so")))
lib.summary_new.restype = ctypes.c_void_p
lib.summary_free.argtypes = [ctypes.c_void_p]
lib.summary_add.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
lib.summary_read.argtypes = [ctypes.c_void_p, ctypes.c_void_p]


class Summary:
    def __init__(self):
        self.address = lib.summary_new()

    def __del__(self):
        lib.summary_free(self.address)

    def add(self, values):
        view = memoryview(values)
        if view.format != "d":
            raise TypeError
        if view.readonly:  # which from_buffer refuses
            values = view.tobytes()
            lib.summary_add(self.address, values, len(view))
        else:
            lib.summary_add(
                self.address, (ctypes.c_double * len(view)).from_buffer(view), len(view)
            )

    def read(self, out):
        if memoryview(out).format != "d" or len(out) != 3:
            raise TypeError
        if lib.summary_read(self.address, (ctypes.c_double * 3).from_buffer(out)):
            raise ValueError
