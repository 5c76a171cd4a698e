# cython: freethreading_compatible=True, binding=False
# cython: embedsignature=True, embedsignature.format=clinic
"""The tokenizer through Cython, with the kernels of the C library.

Shows:  an extension type that owns what the library has opened and keeps a model alive; the UTF-8
        of a str, borrowed from it; results of unknown size; threads; a call that Ctrl-C ends.
Build:  cython -3 tokenizer.pyx, then the C compiler (bindings/cython/CMakeLists.txt).
Bites:  __init__ can run again: rely on __cinit__, during which the collector sees the object;
        PyUnicode_AsUTF8AndSize refuses lone surrogates, which a str may have.
"""

cimport numpy as cnp
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.long cimport PyLong_AsLongAndOverflow
from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memset

from ffi_cookbook.bindings.cython.cookbook cimport (
    CK_INTERRUPTED, CK_MAX_THREADS, CK_OK, ck_bpe, ck_bpe_close, ck_bpe_decode, ck_bpe_encode,
    ck_bpe_encode_batch, ck_bpe_n_special, ck_bpe_open, ck_bpe_split, ck_buffer, ck_error,
    ck_interrupt, ck_texts)
from ffi_cookbook.bindings.cython.memory cimport Borrowed, Memory

from ffi_cookbook.bindings.errors import tokenizer_error
from ffi_cookbook.bindings._glue.signals import handles_signals
from ffi_cookbook.bindings._glue.surrogates import replace_surrogates
from ffi_cookbook.bindings._glue.text import asked

cnp.import_array()

cdef extern from "Python.h":
    int check_signals "PyErr_CheckSignals"() noexcept  # an exception of a handler stays set
    void PyObject_GC_Track(object)  # missing from cpython's .pxd files, as is the next
    void PyObject_GC_UnTrack(object)

cdef enum:
    WORTH_THE_GIL = 1 << 10  # bytes; releasing the GIL takes longer than a shorter text
    LONG = 1 << 20  # bytes; a shorter text takes a few milliseconds


# ---- arguments -----------------------------------------------------------------------------------


cdef int checked_threads(threads) except -1:
    """Return the number of threads that the caller allows, from any object with __index__."""
    cdef int overflow = 0  # 1: more than a long holds, -1: less
    cdef long n = PyLong_AsLongAndOverflow(threads, &overflow)
    if n < 1 and overflow <= 0:
        raise ValueError(f"threads must be at least 1, not {threads}")
    return CK_MAX_THREADS if overflow else min(n, CK_MAX_THREADS)


cdef bytes policy_of(policy, Py_ssize_t n_special):
    """Return a model's policy for its special tokens, one byte for each."""
    if not isinstance(policy, bytes):
        raise TypeError(f"a model's policy must be bytes, not {type(policy).__name__}")
    if PyBytes_GET_SIZE(policy) != n_special:
        raise ValueError("a model's policy must have one byte for each of its special tokens")
    return PyBytes_FromStringAndSize(PyBytes_AS_STRING(policy), n_special)


cdef class Text:
    """The UTF-8 of a str, lone surrogates replaced, or bytes as they are; kept alive."""

    cdef object owner
    cdef const uint8_t *data
    cdef Py_ssize_t size

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


cdef class Texts:
    """The texts of a list or tuple, kept alive, as the kernel takes them."""

    cdef tuple owners
    cdef Memory data, sizes
    cdef ck_texts places
    cdef size_t total

    def __cinit__(self, texts):
        if not issubclass(type(texts), (list, tuple)):
            kind = type(texts).__name__
            raise TypeError(f"texts must be a list or tuple of str or bytes, not {kind}")
        self.owners = tuple([Text(each) for each in tuple(texts)])  # a list may change
        cdef size_t n = len(self.owners)
        self.data, self.sizes = Memory(n * sizeof(void *)), Memory(n * sizeof(size_t))
        cdef const uint8_t **data = <const uint8_t **>self.data.data
        cdef size_t *sizes = <size_t *>self.sizes.data
        cdef Text text
        for i, text in enumerate(self.owners):
            data[i], sizes[i] = text.data, text.size
            self.total += text.size
        self.places = ck_texts(data, sizes, n)


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


# ---- results -------------------------------------------------------------------------------------


cdef cnp.ndarray new_array(cnp.npy_intp n, int kind):
    """Return a new array of n uninitialised elements."""
    return cnp.PyArray_SimpleNew(1, &n, kind)


cdef cnp.ndarray shortened(cnp.ndarray array, cnp.npy_intp n):
    """Shorten an array, in place. The system maps no memory that is never written to."""
    cdef cnp.PyArray_Dims shape = cnp.PyArray_Dims(&n, 1)
    cnp.PyArray_Resize(array, &shape, 0, cnp.NPY_CORDER)
    return array


# ---- signals -------------------------------------------------------------------------------------


cdef int ask(void *context) noexcept nogil:
    """Run the signal handlers."""
    with gil:
        return check_signals()


cdef ck_interrupt *asking(ck_interrupt *interrupt, size_t size) except? NULL:
    """Return what makes a long call run the signal handlers, or NULL for a short one."""
    if size < LONG or not handles_signals():
        return NULL
    memset(interrupt, 0, sizeof(interrupt[0]))
    interrupt.ask = ask
    return interrupt


# ---- object --------------------------------------------------------------------------------------


cdef class Tokenizer:
    "Tokenizer(model)\n--\n\nA byte-level BPE tokenizer; see protocol.Tokenizer."

    cdef readonly object model
    cdef object names  # the model's special_names
    cdef bytes blob, default_policy  # memory that nobody can change; `bpe` points into `blob`
    cdef bytes ordinary  # the policy by which special tokens are plain text, or empty if all are
    cdef ck_bpe *bpe  # the open model, with its caches

    def __cinit__(self, model):
        PyObject_GC_UnTrack(self)  # so that nobody finds it while the model is queried
        self.model = model
        self.names, policy, self.ordinary, self.blob = asked(model)
        cdef const uint8_t *blob = <const uint8_t *>PyBytes_AS_STRING(self.blob)
        cdef ck_error error
        self.bpe = ck_bpe_open(blob, PyBytes_GET_SIZE(self.blob), 0, &error)
        if self.bpe == NULL:
            self.check(error.code, &error)
        self.default_policy = policy_of(policy, ck_bpe_n_special(self.bpe))
        PyObject_GC_Track(self)

    def __dealloc__(self):
        ck_bpe_close(self.bpe)

    def __reduce__(self):
        return type(self), (self.model,)

    cdef int check(self, int64_t code, const ck_error *error) except -1:
        if code == CK_OK:
            return 0
        if code == CK_INTERRUPTED:
            return -1  # and the exception of the signal handler is set
        raise tokenizer_error((error.code, error.offset, error.record, error.field, error.expected,
                               error.actual), self.names)

    cdef bytes policy(self, allowed, disallowed):
        if type(allowed) is tuple and not allowed and type(disallowed) is str and disallowed == "all":
            return self.default_policy
        policy = self.model.special_policy(allowed, disallowed)
        return policy_of(policy, ck_bpe_n_special(self.bpe))

    cdef const uint8_t *plain(self):
        return <const uint8_t *>PyBytes_AS_STRING(self.ordinary) if self.ordinary else NULL

    cdef Py_ssize_t run(self, const uint8_t *text, size_t size, const uint8_t *policy,
                        uint32_t *ids, size_t capacity) except -1:
        cdef ck_buffer room = ck_buffer(ids, capacity, 0)
        cdef ck_interrupt waiting
        cdef ck_interrupt *interrupt = asking(&waiting, size)
        cdef ck_error error
        cdef int code
        if size < WORTH_THE_GIL:
            code = ck_bpe_encode(self.bpe, text, size, policy, &room, interrupt, &error)
        else:
            with nogil:
                code = ck_bpe_encode(self.bpe, text, size, policy, &room, interrupt, &error)
        self.check(code, &error)
        return room.n

    def encode(self, text, /, *, allowed_special=(), disallowed_special="all"):
        """Return the ids of a text."""
        cdef Text source = Text(text)
        cdef bytes policy = self.policy(allowed_special, disallowed_special)
        cdef cnp.ndarray ids = new_array(source.size, cnp.NPY_UINT32)
        cdef uint32_t *out = <uint32_t *>cnp.PyArray_DATA(ids)
        return shortened(ids, self.run(source.data, source.size, policy, out, source.size))

    def encode_into(self, buffer, out, /):
        """Write the ids of UTF-8 bytes into an array."""
        cdef Borrowed source = Borrowed(buffer)
        cdef uint32_t *ids = room_of(source, out)
        return self.run(source.data, source.size, self.plain(), ids, cnp.PyArray_DIM(out, 0))

    def count(self, text, /):
        """Return the number of ids of a text."""
        cdef Text source = Text(text)
        return self.run(source.data, source.size, self.plain(), NULL, 0)

    def split(self, text, /):
        """Return where each pretoken ends."""
        cdef Text source = Text(text)
        cdef size_t size = source.size
        cdef cnp.ndarray ends = new_array(size, cnp.NPY_INT64)
        cdef ck_buffer room = ck_buffer(cnp.PyArray_DATA(ends), size, 0)
        cdef ck_interrupt waiting
        cdef ck_interrupt *interrupt = asking(&waiting, size)
        cdef ck_error error
        cdef int code
        if size < WORTH_THE_GIL:
            code = ck_bpe_split(self.bpe, source.data, size, &room, interrupt, &error)
        else:
            with nogil:
                code = ck_bpe_split(self.bpe, source.data, size, &room, interrupt, &error)
        self.check(code, &error)
        return shortened(ends, room.n)

    cdef size_t run_decode(self, const uint32_t *ids, size_t n, void *data, size_t size) except? 0:
        cdef ck_buffer room = ck_buffer(data, size, 0)
        cdef ck_interrupt waiting
        cdef ck_interrupt *interrupt = asking(&waiting, n)
        cdef ck_error error
        cdef int code
        if n < WORTH_THE_GIL:
            code = ck_bpe_decode(self.bpe, ids, n, &room, interrupt, &error)
        else:
            with nogil:
                code = ck_bpe_decode(self.bpe, ids, n, &room, interrupt, &error)
        self.check(code, &error)
        return room.n

    def decode(self, ids, /):
        """Return the bytes of ids."""
        cdef const uint32_t *source = ids_of(ids, "ids", False)
        cdef size_t n = cnp.PyArray_DIM(ids, 0)
        cdef size_t size = self.run_decode(source, n, NULL, 0)
        cdef bytes data = PyBytes_FromStringAndSize(NULL, size)
        n = self.run_decode(source, n, PyBytes_AS_STRING(data), size)
        return data if n == size else data[:n]  # another thread has changed the ids

    def encode_batch(self, texts, threads=1, *, allowed_special=(), disallowed_special="all"):
        """Return the ids of many texts."""
        cdef int at_most = checked_threads(threads)
        cdef Texts sources = Texts(texts)
        cdef bytes policy = self.policy(allowed_special, disallowed_special)
        cdef const uint8_t *specials = policy
        cdef cnp.ndarray offsets = new_array(sources.places.n + 1, cnp.NPY_INT64)
        cdef int64_t *ends = <int64_t *>cnp.PyArray_DATA(offsets)
        cdef cnp.ndarray ids = new_array(sources.total, cnp.NPY_UINT32)
        cdef ck_buffer room = ck_buffer(cnp.PyArray_DATA(ids), sources.total, 0)
        cdef ck_interrupt waiting
        cdef ck_interrupt *interrupt = asking(&waiting, sources.total)
        cdef ck_error error
        cdef int code
        with nogil:
            code = ck_bpe_encode_batch(self.bpe, &sources.places, specials, &room, ends, at_most,
                                       interrupt, &error)
        self.check(code, &error)
        return shortened(ids, room.n), offsets
