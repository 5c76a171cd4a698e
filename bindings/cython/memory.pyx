# cython: freethreading_compatible=True, binding=False
"""Memory that is released when the object dies, on every path and without a `finally`."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc


cdef class Borrowed:
    """The bytes of a C-contiguous buffer, borrowed for as long as this object lives."""

    def __cinit__(self, owner):
        try:
            PyObject_GetBuffer(owner, &self.view, PyBUF_SIMPLE)
        except BufferError as error:
            raise ValueError(f"expected a C-contiguous buffer ({error})") from None
        self.data = <const uint8_t *>self.view.buf
        self.size = self.view.len

    def __dealloc__(self):
        PyBuffer_Release(&self.view)  # does nothing if there is none


cdef class Memory:
    """Uninitialised memory, aligned for any type."""

    def __cinit__(self, size_t size):
        self.data = PyMem_RawMalloc(size)
        if self.data == NULL:
            raise MemoryError

    def __dealloc__(self):
        PyMem_RawFree(self.data)
