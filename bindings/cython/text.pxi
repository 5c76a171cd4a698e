# Text and ids on their way to the tokenizer, and results on their way back.

from cpython.bytes cimport PyBytes_AS_STRING
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.string cimport memcpy

from bindings.tokenizer import replace_surrogates


cdef class Text:
    """The UTF-8 of a str, lone surrogates replaced, or bytes as they are; kept alive."""

    cdef object owner
    cdef const uint8_t *data
    cdef Py_ssize_t size

    def __cinit__(self, text):
        self.owner = text
        if isinstance(text, bytes):
            self.data = <const uint8_t *>PyBytes_AS_STRING(text)
            self.size = len(<bytes>text)
            return
        if not isinstance(text, str):
            raise TypeError(f"expected str or bytes, not {type(text).__name__}")
        try:
            self.data = <const uint8_t *>PyUnicode_AsUTF8AndSize(text, &self.size)
        except UnicodeEncodeError:
            self.owner = replace_surrogates(text)
            self.data = <const uint8_t *>PyUnicode_AsUTF8AndSize(self.owner, &self.size)


cdef uint32_t *ids_of(cnp.ndarray ids, bint writable) except NULL:
    if cnp.PyArray_TYPE(ids) != cnp.NPY_UINT32 or cnp.PyArray_ISBYTESWAPPED(ids):
        raise TypeError(f"ids must be a uint32 array, not {ids.dtype!r}")
    if cnp.PyArray_NDIM(ids) != 1 or not cnp.PyArray_ISCARRAY_RO(ids):
        raise ValueError("ids must be one-dimensional, C-contiguous and aligned")
    if writable and not cnp.PyArray_ISWRITEABLE(ids):
        raise ValueError("ids must be writable")
    return <uint32_t *>cnp.PyArray_DATA(ids)


cdef uint32_t *room_of(Borrowed text, cnp.ndarray out) except NULL:
    """The memory of `out`, to which the kernel writes while it reads the text."""
    cdef uint32_t *ids = ids_of(out, True)
    cdef const uint8_t *first = <uint8_t *>cnp.PyArray_DATA(out)
    cdef const uint8_t *end = first + cnp.PyArray_NBYTES(out)
    if text.size and first < end and text.data < end and first < text.data + text.size:
        raise ValueError("out must not overlap buffer")
    return ids


cdef cnp.ndarray copied(const void *data, cnp.npy_intp n, int kind):
    """A new array of n elements from `data`, or with anything in it if that is NULL."""
    cdef cnp.ndarray array = cnp.PyArray_SimpleNew(1, &n, kind)
    if data != NULL:
        memcpy(cnp.PyArray_DATA(array), data, cnp.PyArray_NBYTES(array))
    return array


cdef cnp.ndarray shortened(cnp.ndarray array, cnp.npy_intp n):
    """The first n elements, in place. Memory that was never written to is never mapped."""
    cdef cnp.PyArray_Dims shape = cnp.PyArray_Dims(&n, 1)
    cnp.PyArray_Resize(array, &shape, 0, cnp.NPY_CORDER)
    return array
