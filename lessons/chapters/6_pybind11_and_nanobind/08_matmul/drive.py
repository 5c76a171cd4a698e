"""Matrices in all orders of memory, faulty arguments, and what other threads can do meanwhile."""

import meeting
import numpy as np

prepare = meeting.prepare


def laid_out(values, order):
    """Return a read-only matrix whose items lie in memory as `order` says."""
    if order == "columns":
        matrix = np.asfortranarray(values)
    elif order == "reversed":
        m, n = values.shape
        around = np.full((3 * m, 3 * n), 99.0)
        matrix = around[m : 2 * m, n : 2 * n][::-1, ::-1]
        matrix[...] = values
    else:
        around = np.full([2 * size for size in values.shape], 99.0)
        around[::2, ::2] = values
        matrix = around[::2, ::2]
    matrix.flags.writeable = False
    return matrix


def named(subject, a, b):
    """Multiply with every argument given by name."""
    return subject.matmul(a=a, b=b, out=None, threads=2)


def into(subject, a, b, out):
    """Return whether the result shows the memory of `out`, and what is in it."""
    result = subject.matmul(a, b, out=out)
    return [np.shares_memory(result, out), out]


def kept(subject, n):
    """Return True if a second result leaves the first one as it was."""
    one = np.eye(n)
    first = subject.matmul(one, one)
    second = subject.matmul(one, np.zeros((n, n)))
    return bool((first == one).all() and not second.any() and first.flags.writeable)


def frozen(subject):
    """Multiply into a read-only array."""
    out = np.zeros((3, 3))
    out.flags.writeable = False
    subject.matmul(np.ones((3, 3)), np.ones((3, 3)), out=out)


def refused(subject, fault):
    """Call matmul with one faulty argument."""
    a, b = np.ones((3, 4)), np.ones((4, 3))
    square = np.arange(16.0).reshape(4, 4)
    f, matmul = np.float32, subject.matmul
    calls = {
        "inner sizes": lambda: matmul(a, np.ones((5, 3))),
        "threads": lambda: matmul(a, b, threads=0),
        "rows of out": lambda: matmul(a, b, out=np.empty((2, 3))),
        "columns of out": lambda: matmul(a, b, out=np.empty((3, 4))),
        "out is a": lambda: matmul(square, square.copy(), out=square),
        "out is b": lambda: matmul(square.copy(), square, out=square),
        "lists": lambda: matmul([[1.0]], [[1.0]]),
        "integers": lambda: matmul(a.astype(int), b.astype(int)),
        "two dtypes": lambda: matmul(a, b.astype(f)),
        "dtype of out": lambda: matmul(a, b, out=np.empty((3, 3), f)),
        "order of out": lambda: matmul(a, b, out=np.empty((3, 3), order="F")),
        "positional out": lambda: matmul(a, b, None),
        "a vector": lambda: matmul(a, np.ones(4)),
        "three dimensions": lambda: matmul(np.ones((2, 3, 4)), b),
        "fraction of threads": lambda: matmul(a, b, threads=1.5),
        "byte order": lambda: matmul(a.astype(">f8"), b),
    }
    calls[fault]()


def threads_meet(subject):
    """Return True if another thread can run while one is in the kernel."""
    return meeting.another_can_run(subject, subject.matmul, np.ones((2, 2)), np.ones((2, 2)))
