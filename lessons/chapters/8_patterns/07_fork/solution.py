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

lock = threading.Lock()
pool = None


def _forget():
    """Leave the parent's pool alone: its thread is not here."""
    global lock, pool
    lock = threading.Lock()
    pool = None


os.register_at_fork(after_in_child=_forget)


def sum_of_squares(values):
    """Return the sum of the squares of the values."""
    global pool
    array = (ctypes.c_double * len(values))(*values)
    with lock:
        if pool is None:
            pool = lib.pool_new()
        return lib.pool_sum(pool, array, len(values))
