# In Python's own syntax.
import cython


def dot(a: cython.const[cython.double][:], b: cython.const[cython.double][:]):
    if a.shape[0] != b.shape[0]:
        raise ValueError("a and b must have the same size")
    total: cython.double = 0
    i: cython.Py_ssize_t
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    return total
