# cython: freethreading_compatible=True, binding=False
"""The merges of a new vocabulary, which ffi_cookbook.tokenizer.train calls."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from ffi_cookbook.bindings.cython.cookbook cimport (
    CK_ARGUMENT, CK_OK, ck_bpe_trainer, ck_bpe_trainer_add, ck_bpe_trainer_close,
    ck_bpe_trainer_merge, ck_bpe_trainer_open, ck_buffer, ck_error)
from ffi_cookbook.bindings.cython.memory cimport Borrowed

cdef enum:
    AT_ONCE = 64  # merges between two looks for Ctrl-C

cdef extern from "Python.h":
    int check_signals "PyErr_CheckSignals"() except -1


cdef int check(int code) except -1:
    if code == CK_ARGUMENT:
        raise ValueError("pretokens must end one after the other, within their text")
    if code != CK_OK:
        raise MemoryError("no memory for the distinct pretokens, or 2**30 bytes of them")
    return 0


def merges(pretokens, most, progress):
    """Return the pairs of ids that training merges, at most `most`."""
    cdef uint64_t[AT_ONCE] keys
    cdef ck_buffer room = ck_buffer(&keys[0], AT_ONCE, AT_ONCE)
    cdef Borrowed data, places
    cdef ck_error error
    cdef int code
    cdef ck_bpe_trainer *trainer = ck_bpe_trainer_open()
    if trainer == NULL:
        raise MemoryError
    try:
        for text, ends in pretokens:
            data, places = Borrowed(text), Borrowed(ends)
            with nogil:
                code = ck_bpe_trainer_add(trainer, data.data, data.size,
                                          <const int64_t *>places.data,
                                          places.size // sizeof(int64_t), &error)
            check(code)
        found = []
        while len(found) < most and room.n == room.capacity:
            room.capacity = min(AT_ONCE, most - len(found))
            with nogil:
                code = ck_bpe_trainer_merge(trainer, &room, &error)
            check(code)
            for i in range(room.n):
                found.append((keys[i] >> 32, <uint32_t>keys[i]))
                progress(len(found))
            check_signals()
        return found
    finally:
        ck_bpe_trainer_close(trainer)
