"""Matrices in all orders of memory, and faulty `out`."""

import numpy as np


def operand(values, shape, dtype, order):
    """Return a read-only matrix whose items lie as `order` says."""
    plain = np.array(values, dtype).reshape(shape)
    if order == "strides":
        room = np.full((2 * shape[0] + 1, 3 * shape[1] + 1), 1e30, dtype)
        matrix = room[1::2, 1::3]
        matrix[...] = plain
    elif order == "backwards":
        matrix = plain[::-1, ::-1].copy()[::-1, ::-1]
    else:
        matrix = np.array(plain, order=order)
    matrix.setflags(write=False)
    return matrix


def into(subject, a, b, shape, dtype):
    """Return what matmul writes to `out`, if that is what it returns."""
    out = np.full(shape, 99, dtype)
    result = subject.matmul(a, b, out=out)
    return out if result is out else "the result is not out"


def fresh(subject, a, b):
    """Return the result, if it is a new array that may be written to."""
    result = subject.matmul(a, b)
    other = subject.matmul(a, b, threads=2)
    right = type(result) is np.ndarray and result.flags.carray and result.flags.owndata
    return result if right and not np.may_share_memory(result, other) else "not a new array"


def refused(subject, fault):
    """Call matmul with one faulty argument."""
    a, b = np.ones((3, 4)), np.ones((4, 3))
    square = np.arange(16.0).reshape(4, 4)
    frozen = np.empty((3, 3))
    frozen.setflags(write=False)
    calls = {
        "inner sizes": lambda: subject.matmul(a, np.ones((5, 3))),
        "a vector": lambda: subject.matmul(a, np.ones(4)),
        "three dimensions": lambda: subject.matmul(np.ones((2, 3, 4)), b),
        "threads": lambda: subject.matmul(a, b, threads=0),
        "shape of out": lambda: subject.matmul(a, b, out=np.empty((3, 4))),
        "smaller out": lambda: subject.matmul(a, b, out=np.empty((2, 3))),
        "order of out": lambda: subject.matmul(a, b, out=np.empty((3, 3), order="F")),
        "read-only out": lambda: subject.matmul(a, b, out=frozen),
        "out is a": lambda: subject.matmul(square, square.copy(), out=square),
        "out is b": lambda: subject.matmul(square.copy(), square, out=square),
        "lists": lambda: subject.matmul([[1.0]], [[1.0]]),
        "two dtypes": lambda: subject.matmul(a, b.astype(np.float32)),
        "dtype of out": lambda: subject.matmul(a, b, out=np.empty((3, 3), np.float32)),
    }
    calls[fault]()
