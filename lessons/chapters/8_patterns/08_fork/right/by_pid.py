"""A pool for each process, found by its number."""

import ctypes
import os
import threading
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("libpool.so")))
lib.pool_new.argtypes = []
lib.pool_new.restype = ctypes.c_void_p
lib.pool_sum.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_double), ctypes.c_size_t]
lib.pool_sum.restype = ctypes.c_double
lib.pool_free.argtypes = [ctypes.c_void_p]
lib.pool_free.restype = None


class Pool:
    def __init__(self):
        self.lock, self.pointer = threading.Lock(), None

    def sum(self, values):
        array = (ctypes.c_double * len(values))(*values)
        with self.lock:
            self.pointer = self.pointer or lib.pool_new()
            return lib.pool_sum(self.pointer, array, len(values))


pools = {}


def sum_of_squares(values):
    pool = pools.get(os.getpid()) or pools.setdefault(os.getpid(), Pool())
    return pool.sum(values)
