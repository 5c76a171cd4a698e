# The definitions of tokenizer_arguments.pyx, for the page of the tokenizer.

cimport numpy as cnp
from libc.stdint cimport uint8_t, uint32_t

from bpe_batch cimport Item
from bpe_error cimport Error
from bpe_interrupt cimport Interrupt
from bpe_model cimport Model

from ffi_cookbook.bindings.cython.memory cimport Borrowed, Memory

cdef extern from "Python.h":  # missing from cpython's .pxd files
    void PyObject_GC_Track(object)
    void PyObject_GC_UnTrack(object)

cdef enum:
    WORTH_THE_GIL = 1 << 10  # releasing the GIL takes longer than a shorter text


cdef struct Call:
    Interrupt interrupt
    Model tables
    Error error


cdef class Text:
    cdef object owner
    cdef const uint8_t *data
    cdef Py_ssize_t size


cdef Py_ssize_t checked_threads(threads) except -1
cdef bytes policy_of(policy, Py_ssize_t n_special)
cdef tuple texts_of(texts)
cdef Memory items_of(tuple sources)
cdef uint32_t *ids_of(array, str name, bint writable) except NULL
cdef uint32_t *room_of(Borrowed text, out) except NULL
cdef cnp.ndarray copied(const void *data, cnp.npy_intp n, int kind)
cdef cnp.ndarray shortened(cnp.ndarray array, cnp.npy_intp n)
cdef const Model *begin(Call *call, const Model *tables, size_t size) except NULL
