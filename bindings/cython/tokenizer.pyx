# cython: freethreading_compatible=True, binding=False
# cython: embedsignature=True, embedsignature.format=clinic
"""The tokenizer through Cython, with the kernels of cython_src/bpe_*.pxd.

Shows:  an extension type that keeps a model alive; borrowed text; results of unknown size; threads.
Build:  cython -3 -I cython_src tokenizer.pyx, then the C compiler (bindings/cython/CMakeLists.txt).
Bites:  __init__ can run again: rely on __cinit__, during which the collector sees the object.
"""

cimport numpy as cnp
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint32_t

from bpe_batch cimport Batch, Item, encode_batch_kernel, gather, plan
from bpe_encode cimport decode_ids, decode_size, encode, split_text
from bpe_error cimport Error
from bpe_model cimport INTERRUPTED, OK, Model, open_model
from bpe_output cimport Output
from bpe_pool cimport Pool, free_pool
from bpe_specials cimport open_specials

from ffi_cookbook.bindings.cython.memory cimport Borrowed, Memory
from ffi_cookbook.bindings.cython.tokenizer_arguments cimport (
    WORTH_THE_GIL, Call, PyObject_GC_Track, PyObject_GC_UnTrack, Text, begin, checked_threads,
    copied, ids_of, items_of, policy_of, room_of, shortened, texts_of)

from ffi_cookbook.bindings.errors import tokenizer_error
from ffi_cookbook.bindings._glue.text import asked


cdef class Tokenizer:
    "Tokenizer(model)\n--\n\nA byte-level BPE tokenizer; see ffi_cookbook.bindings.protocol.Tokenizer."

    cdef readonly object model
    cdef object names  # the model's special_names
    cdef bytes blob, default_policy  # memory that nobody can change; `tables` points into `blob`
    cdef Model tables
    cdef Pool pool  # the caches of earlier calls

    def __cinit__(self, model):
        PyObject_GC_UnTrack(self)  # so that nobody finds it while the model is queried
        self.model = model
        self.names, policy, self.blob = asked(model)
        cdef const uint8_t *blob = <const uint8_t *>PyBytes_AS_STRING(self.blob)
        if not open_model(&self.tables, blob, len(self.blob)) or not open_specials(&self.tables):
            raise ValueError("not a tokenizer model")
        self.default_policy = policy_of(policy, self.tables.n_special)
        PyObject_GC_Track(self)

    def __dealloc__(self):
        free_pool(&self.pool)

    def __reduce__(self):
        return type(self), (self.model,)

    cdef int check(self, const Error *error) except -1:
        if error.code == OK:
            return 0
        if error.code == INTERRUPTED:
            return -1  # and the exception of the signal handler is set
        raise tokenizer_error((error.code, error.offset, error.record, error.field, error.expected,
                               error.actual), self.names)

    cdef bytes policy(self, allowed, disallowed):
        if type(allowed) is tuple and not allowed and type(disallowed) is str and disallowed == "all":
            return self.default_policy
        return policy_of(self.model.special_policy(allowed, disallowed), self.tables.n_special)

    cdef Py_ssize_t run(self, const uint8_t *text, size_t size, const uint8_t *policy,
                        uint32_t *ids, size_t capacity) except -1:
        cdef Output out = Output(ids, 0, capacity)
        cdef Call call
        cdef const Model *tables = begin(&call, &self.tables, size)
        if size < WORTH_THE_GIL:
            encode(tables, &self.pool, text, size, policy, &out, &call.error)
        else:
            with nogil:
                encode(tables, &self.pool, text, size, policy, &out, &call.error)
        self.check(&call.error)
        return out.n

    def encode(self, text, /, *, allowed_special=(), disallowed_special="all"):
        """Return the ids of a text."""
        cdef Text source = Text(text)
        cdef bytes policy = self.policy(allowed_special, disallowed_special)
        cdef cnp.ndarray ids = copied(NULL, source.size, cnp.NPY_UINT32)
        cdef uint32_t *out = <uint32_t *>cnp.PyArray_DATA(ids)
        return shortened(ids, self.run(source.data, source.size, policy, out, source.size))

    def encode_into(self, buffer, out, /):
        """Write the ids of UTF-8 bytes into an array."""
        cdef Borrowed source = Borrowed(buffer)
        cdef uint32_t *ids = room_of(source, out)
        return self.run(source.data, source.size, NULL, ids, cnp.PyArray_DIM(out, 0))

    def count(self, text, /):
        """Return the number of ids of a text."""
        cdef Text source = Text(text)
        return self.run(source.data, source.size, NULL, NULL, 0)

    def split(self, text, /):
        """Return where each pretoken ends."""
        cdef Text source = Text(text)
        cdef cnp.ndarray ends = copied(NULL, source.size, cnp.NPY_INT64)
        cdef int64_t *out = <int64_t *>cnp.PyArray_DATA(ends)
        cdef size_t n
        cdef Call call
        cdef const Model *tables = begin(&call, &self.tables, source.size)
        if source.size < WORTH_THE_GIL:
            n = split_text(tables, source.data, source.size, out, &call.error)
        else:
            with nogil:
                n = split_text(tables, source.data, source.size, out, &call.error)
        self.check(&call.error)
        return shortened(ends, n)

    def decode(self, ids, /):
        """Return the bytes of ids."""
        cdef const uint32_t *source = ids_of(ids, "ids", False)
        cdef size_t n = cnp.PyArray_DIM(ids, 0), size = 0
        cdef Call call
        cdef const Model *tables = begin(&call, &self.tables, n)
        if n < WORTH_THE_GIL:
            decode_size(tables, source, n, &size, &call.error)
        else:
            with nogil:
                decode_size(tables, source, n, &size, &call.error)
        self.check(&call.error)
        cdef bytes data = PyBytes_FromStringAndSize(NULL, size)
        cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(data)
        if size < WORTH_THE_GIL:
            n = decode_ids(tables, source, n, out, size, &call.error)
        else:
            with nogil:
                n = decode_ids(tables, source, n, out, size, &call.error)
        self.check(&call.error)
        return data if n == size else data[:n]  # another thread has changed the ids

    def encode_batch(self, texts, threads=1, *, allowed_special=(), disallowed_special="all"):
        """Return the ids of many texts."""
        cdef Py_ssize_t at_most = checked_threads(threads)
        cdef tuple sources = texts_of(texts)
        cdef bytes policy = self.policy(allowed_special, disallowed_special)
        cdef Py_ssize_t n = len(sources)
        cdef Memory items = items_of(sources), ids
        cdef Batch batch
        batch.policy, batch.items, batch.n = policy, <Item *>items.data, n
        plan(&batch, at_most)
        cdef Call call
        batch.model = begin(&call, &self.tables, batch.size)
        offsets = copied(NULL, n + 1, cnp.NPY_INT64)
        ids = Memory(batch.size * sizeof(uint32_t))
        batch.offsets = <int64_t *>cnp.PyArray_DATA(offsets)
        batch.ids, batch.pool = <uint32_t *>ids.data, &self.pool
        with nogil:
            call.error = encode_batch_kernel(&batch)
        self.check(&call.error)
        result = copied(NULL, batch.offsets[n], cnp.NPY_UINT32)
        gather(&batch, <uint32_t *>cnp.PyArray_DATA(result))
        return result, offsets
