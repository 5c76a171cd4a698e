"""Survive a fork.

libpool.so lies beside this file; pool.h says what its functions do. sum_of_squares(values) is
written, and works in one process. But a fork copies the memory and one thread, the one that forks:

    >>> exercise.sum_of_squares([3.0, 4.0])
    25.0
    >>> if os.fork() == 0:
    ...     exercise.sum_of_squares([3.0, 4.0])      # waits for ever

In the child, the pool's thread is gone, and `lock` may have been held by a thread that is gone too.
Make it work in a child, and in a child's child. The child makes a pool of its own when it first
needs one, and the parent goes on with the pool that it has. A process that never calls it starts
no thread. Threads may call it at the same time.
"""

#: import ctypes
#: import threading
#: from pathlib import Path
#:
#: lib = ctypes.CDLL(str(Path(__file__).with_name("libpool.so")))
# BEGIN SOLUTION
import ctypes
import os
import threading
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("libpool.so")))
# END SOLUTION
lib.pool_new.argtypes = []
lib.pool_new.restype = ctypes.c_void_p
lib.pool_sum.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_double), ctypes.c_size_t]
lib.pool_sum.restype = ctypes.c_double
lib.pool_free.argtypes = [ctypes.c_void_p]
lib.pool_free.restype = None

lock = threading.Lock()
pool = None


# BEGIN SOLUTION
def _forget():
    """Leave the parent's pool alone: its thread is not here."""
    global lock, pool
    lock = threading.Lock()
    pool = None


os.register_at_fork(after_in_child=_forget)


# END SOLUTION
def sum_of_squares(values):
    """Return the sum of the squares of the values."""
    #: # TODO
    global pool
    array = (ctypes.c_double * len(values))(*values)
    with lock:
        if pool is None:
            pool = lib.pool_new()
        return lib.pool_sum(pool, array, len(values))
