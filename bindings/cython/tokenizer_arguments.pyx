# cython: freethreading_compatible=True, binding=False
"""The arguments and results of the tokenizer through Cython: text, ids and policies.

Shows:  the UTF-8 of a str, borrowed from it; arrays checked and made by NumPy's C API; functions and
        an extension type that another module cimports (tokenizer_arguments.pxd).
Build:  cython -3 -I cython_src tokenizer_arguments.pyx, then the C compiler.
Bites:  PyUnicode_AsUTF8AndSize refuses lone surrogates, which a str may have; a cimported function
        is called through a pointer, and not inlined; a module is imported by those that cimport it,
        and the import fails if the fields of its types have changed since they were compiled.
"""

cimport numpy as cnp
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.long cimport PyLong_AsLongAndOverflow
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.limits cimport LONG_MAX
from libc.string cimport memcpy

from bpe_interrupt cimport this_thread
from bpe_model cimport OK

from ffi_cookbook.bindings._glue.signals import handles_signals
from ffi_cookbook.bindings._glue.surrogates import replace_surrogates

cnp.import_array()

cdef extern from "Python.h":
    int check_signals "PyErr_CheckSignals"() noexcept  # an exception of a handler stays set


cdef Py_ssize_t checked_threads(threads) except -1:
    """Return the number of threads that the caller allows, from any object with __index__."""
    cdef int overflow = 0  # 1: more than a long holds, -1: less
    cdef long n = PyLong_AsLongAndOverflow(threads, &overflow)
    if n < 1 and overflow <= 0:
        raise ValueError(f"threads must be at least 1, not {threads}")
    return LONG_MAX if overflow else n


cdef bytes policy_of(policy, Py_ssize_t n_special):
    """Return a model's policy for its special tokens, one byte for each."""
    if not isinstance(policy, bytes):
        raise TypeError(f"a model's policy must be bytes, not {type(policy).__name__}")
    if PyBytes_GET_SIZE(policy) != n_special:
        raise ValueError("a model's policy must have one byte for each of its special tokens")
    return PyBytes_FromStringAndSize(PyBytes_AS_STRING(policy), n_special)


cdef class Text:
    """The UTF-8 of a str, lone surrogates replaced, or bytes as they are; kept alive."""

    def __cinit__(self, text):
        self.owner = text
        if isinstance(text, bytes):
            self.data = <const uint8_t *>PyBytes_AS_STRING(text)
            self.size = PyBytes_GET_SIZE(text)
            return
        if not isinstance(text, str):
            raise TypeError(f"text must be str or bytes, not {type(text).__name__}")
        try:
            self.data = <const uint8_t *>PyUnicode_AsUTF8AndSize(text, &self.size)
        except UnicodeEncodeError:
            self.owner = replace_surrogates(text)
            self.data = <const uint8_t *>PyUnicode_AsUTF8AndSize(self.owner, &self.size)


cdef tuple texts_of(texts):
    """Return the texts of a list or tuple."""
    if not issubclass(type(texts), (list, tuple)):
        kind = type(texts).__name__
        raise TypeError(f"texts must be a list or tuple of str or bytes, not {kind}")
    return tuple([Text(text) for text in tuple(texts)])  # a list may change


cdef Memory items_of(tuple sources):
    """Return the places of these texts, for a batch."""
    cdef Memory items = Memory(len(sources) * sizeof(Item))
    cdef Text source
    for i, source in enumerate(sources):
        (<Item *>items.data)[i] = Item(source.data, source.size, 0)
    return items


cdef uint32_t *ids_of(array, str name, bint writable) except NULL:
    """Return the memory of a 1-D array of ids, valid while the caller holds the array."""
    if not isinstance(array, cnp.ndarray) or cnp.PyArray_TYPE(array) != cnp.NPY_UINT32 \
            or cnp.PyArray_ISBYTESWAPPED(array):
        raise TypeError(f"{name} must be a numpy array of uint32")
    if cnp.PyArray_NDIM(array) != 1:
        raise ValueError(f"{name} must be one-dimensional")
    if not cnp.PyArray_ISCARRAY_RO(array):
        raise ValueError(f"{name} must be C-contiguous and aligned")
    if writable and not cnp.PyArray_ISWRITEABLE(array):
        raise ValueError(f"{name} must be writable")
    return <uint32_t *>cnp.PyArray_DATA(array)


cdef uint32_t *room_of(Borrowed text, out) except NULL:
    """Return the memory of `out`, which the kernel writes while it reads the text."""
    cdef uint32_t *ids = ids_of(out, "out", True)
    cdef const uint8_t *first = <const uint8_t *>ids
    cdef const uint8_t *end = <const uint8_t *>(ids + cnp.PyArray_DIM(out, 0))
    if text.size and first < end and text.data < end and first < text.data + text.size:
        raise ValueError("out must not overlap buffer")
    return ids


cdef cnp.ndarray copied(const void *data, cnp.npy_intp n, int kind):
    """Return a new array of n elements copied from `data`, or uninitialised if that is NULL."""
    cdef cnp.ndarray array = cnp.PyArray_SimpleNew(1, &n, kind)
    if data != NULL:
        memcpy(cnp.PyArray_DATA(array), data, cnp.PyArray_NBYTES(array))
    return array


cdef cnp.ndarray shortened(cnp.ndarray array, cnp.npy_intp n):
    """Shorten an array, in place. The system maps no memory that is never written to."""
    cdef cnp.PyArray_Dims shape = cnp.PyArray_Dims(&n, 1)
    cnp.PyArray_Resize(array, &shape, 0, cnp.NPY_CORDER)
    return array


cdef enum:
    LONG = 1 << 20  # bytes; a shorter text takes a few milliseconds


cdef int ask() noexcept nogil:
    """Run the signal handlers."""
    with gil:
        return check_signals()


cdef const Model *begin(Call *call, const Model *tables, size_t size) except NULL:
    """Return the model for a call without the GIL. A long call runs the signal handlers."""
    call.error = Error(OK, 0, 0, -1, 0, 0)
    if size < LONG or not handles_signals():
        return tables
    call.interrupt = Interrupt(0, ask, this_thread(), 0, 0)
    call.tables = tables[0]
    call.tables.interrupt = &call.interrupt
    return &call.tables
