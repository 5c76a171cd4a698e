"""The process is looked up in each call."""

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


class State:
    """A lock and a pool, made together and dropped together."""

    def __init__(self):
        self.pid, self.lock, self.pool = os.getpid(), threading.RLock(), None


state = State()


def current():
    global state
    if state.pid != os.getpid():
        state = State()
    return state


def sum_of_squares(values):
    mine = current()
    array = (ctypes.c_double * len(values))(*values)
    with mine.lock:
        if mine.pool is None:
            mine.pool = lib.pool_new()
        return lib.pool_sum(mine.pool, array, len(array))
