/* The tokenizer through the CPython C API.
 *
 * Shows:  a class as a heap type: an object that owns what a library has opened; methods, an
 *         attribute, pickling, garbage collection; text and lists of texts borrowed where they lie;
 *         a result of unknown size, written once: into an array of the largest possible size, which
 *         is shortened in place; a call that Ctrl-C ends, with the exception of the signal's
 *         handler.
 * Build:  Python_add_library(... tokenizer.c), CPython's and NumPy's include directories.
 * Bites:  an instance of a heap type owns a reference to its type: tp_dealloc must release it. A
 *         subclass of bytes can have any __len__: the macros read the object itself. Whatever can
 *         run code (special_policy) runs before memory is borrowed that such code could free, and a
 *         batch holds its texts, because a list may change meanwhile. Another thread may write to
 *         borrowed memory during the call: what a first pass measured need not hold in a second.
 *
 * Memory: the tokenizer keeps the Model alive, and its blob, which is bytes that nobody can change;
 * calls share nothing but caches, no two of which use the same one, so any number of threads may
 * call it at once. Results belong to the caller.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <structmember.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include "arguments.h"
#include "buffers.h"
#include "errors.h"
#include "module.h"

typedef struct {
  PyObject_HEAD PyObject *model;
  PyObject *names, *policy; /* the model's special_names and default_policy (bytes) */
  PyObject *ordinary;       /* the policy by which special tokens are plain text (bytes) */
  PyObject *blob;           /* the model's memory (bytes) */
  ck_bpe *bpe;              /* the open model, with its caches */
} Tokenizer;

/* ---- arguments --------------------------------------------------------------------------- */

/* Raise a TypeError that says what was expected and what `type(given).__name__` is. */
static PyObject *refuse_type(const char *expected, PyObject *given) {
  PyObject *name = PyType_GetName(Py_TYPE(given));
  if (name)
    PyErr_Format(PyExc_TypeError, "%s, not %U", expected, name);
  Py_XDECREF(name);
  return NULL;
}

static int parse_threads(PyObject *object, int *threads) {
  int overflow; /* 1: more than a long holds, -1: less */
  long value = PyLong_AsLongAndOverflow(object, &overflow);
  if (value == -1 && PyErr_Occurred())
    return -1;
  if (value < 1 && overflow <= 0) {
    PyErr_Format(PyExc_ValueError, "threads must be at least 1, not %S", object);
    return -1;
  }
  *threads = overflow || value > CK_MAX_THREADS ? CK_MAX_THREADS : (int)value;
  return 0;
}

/* Return a new tuple: a model's special_names, its two policies, and its blob as bytes. */
static PyObject *asked(PyObject *model) {
  PyObject *module = PyImport_ImportModule("ffi_cookbook.bindings._glue.text");
  PyObject *answers = module ? PyObject_CallMethod(module, "asked", "O", model) : NULL;
  Py_XDECREF(module);
  return answers;
}

/* Return -1 with an exception set unless `policy` is bytes with one byte for each special token. */
static int check_policy(PyObject *policy, size_t n_special) {
  if (!PyBytes_Check(policy)) {
    refuse_type("a model's policy must be bytes", policy);
    return -1;
  }
  if ((size_t)PyBytes_GET_SIZE(policy) == n_special)
    return 0;
  PyErr_SetString(PyExc_ValueError,
                  "a model's policy must have one byte for each of its special tokens");
  return -1;
}

/* Return the UTF-8 of a str, or bytes as they are. `text` keeps the memory alive, or *owner does if
 * it is not NULL: a new reference that the caller releases. */
static const char *text_utf8(PyObject *text, Py_ssize_t *size, PyObject **owner) {
  *owner = NULL;
  if (PyBytes_Check(text)) { /* the kernel says where it is not UTF-8 */
    *size = PyBytes_GET_SIZE(text);
    return PyBytes_AS_STRING(text);
  }
  if (!PyUnicode_Check(text)) {
    refuse_type("text must be str or bytes", text);
    return NULL;
  }
  const char *data = PyUnicode_AsUTF8AndSize(text, size);
  if (data || !PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
    return data;
  PyErr_Clear(); /* lone surrogates: replaced as tiktoken does */
  PyObject *module = PyImport_ImportModule("ffi_cookbook.bindings._glue.surrogates");
  if (module)
    *owner = PyObject_CallMethod(module, "replace_surrogates", "O", text);
  Py_XDECREF(module);
  if (*owner && !(data = PyUnicode_AsUTF8AndSize(*owner, size)))
    Py_CLEAR(*owner);
  return data;
}

/* Return new bytes that say what to do with each special token. */
static PyObject *special_policy(Tokenizer *self, PyObject *allowed, PyObject *disallowed) {
  if (!allowed && !disallowed)
    return Py_NewRef(self->policy);
  PyObject *empty = allowed ? Py_NewRef(allowed) : PyTuple_New(0);
  PyObject *all = disallowed ? Py_NewRef(disallowed) : PyUnicode_FromString("all");
  PyObject *policy =
      empty && all ? PyObject_CallMethod(self->model, "special_policy", "OO", empty, all) : NULL;
  Py_XDECREF(empty);
  Py_XDECREF(all);
  if (policy && check_policy(policy, ck_bpe_n_special(self->bpe)) < 0)
    Py_CLEAR(policy);
  return policy;
}

/* Return the policy of a call that takes special tokens as plain text, or NULL if all are. */
static const uint8_t *ordinary(Tokenizer *self) {
  return PyBytes_GET_SIZE(self->ordinary) ? (uint8_t *)PyBytes_AS_STRING(self->ordinary) : NULL;
}

typedef struct {
  PyObject **owners; /* these keep the texts alive */
  const uint8_t **texts;
  size_t *sizes, n, total;
} Texts;

static void release_texts(Texts *borrowed) {
  for (size_t i = 0; borrowed->owners && i < borrowed->n; i++)
    Py_XDECREF(borrowed->owners[i]);
  PyMem_RawFree(borrowed->owners);
  PyMem_RawFree(borrowed->texts);
  PyMem_RawFree(borrowed->sizes);
}

/* Borrow the texts of a tuple. Return -1 with an exception set on failure. */
static int borrow_texts(Texts *borrowed, PyObject *tuple) {
  borrowed->n = (size_t)PyTuple_GET_SIZE(tuple);
  borrowed->owners = PyMem_RawCalloc(borrowed->n, sizeof *borrowed->owners);
  borrowed->texts = PyMem_RawCalloc(borrowed->n, sizeof *borrowed->texts);
  borrowed->sizes = PyMem_RawCalloc(borrowed->n, sizeof *borrowed->sizes);
  if (!borrowed->owners || !borrowed->texts || !borrowed->sizes) {
    PyErr_NoMemory();
    return -1;
  }
  for (size_t i = 0; i < borrowed->n; i++) {
    PyObject *text = PyTuple_GET_ITEM(tuple, (Py_ssize_t)i), *owner;
    Py_ssize_t size;
    const char *data = text_utf8(text, &size, &owner);
    if (!data)
      return -1;
    borrowed->owners[i] = owner ? owner : Py_NewRef(text);
    borrowed->texts[i] = (const uint8_t *)data;
    borrowed->sizes[i] = (size_t)size;
    borrowed->total += (size_t)size;
  }
  return 0;
}

/* ---- arrays ------------------------------------------------------------------------------ */

/* Return the memory of a 1-D array of *n ids, which stays valid while the caller holds the array;
 * or NULL with an exception set that calls it `name`. For a NumPy array the buffer protocol costs
 * several times as much, since each view spells out the dtype. */
static uint32_t *ids_of(PyObject *object, const char *name, int writable, size_t *n) {
  PyArrayObject *array = (PyArrayObject *)object;
  if (!PyArray_Check(object) || PyArray_TYPE(array) != NPY_UINT32 || !PyArray_ISNOTSWAPPED(array))
    PyErr_Format(PyExc_TypeError, "%s must be a numpy array of uint32", name);
  else if (PyArray_NDIM(array) != 1)
    PyErr_Format(PyExc_ValueError, "%s must be one-dimensional", name);
  else if (!PyArray_IS_C_CONTIGUOUS(array) || !PyArray_ISALIGNED(array))
    PyErr_Format(PyExc_ValueError, "%s must be C-contiguous and aligned", name);
  else if (writable && !PyArray_ISWRITEABLE(array))
    PyErr_Format(PyExc_ValueError, "%s must be writable", name);
  else {
    *n = (size_t)PyArray_DIM(array, 0);
    return PyArray_DATA(array);
  }
  return NULL;
}

/* Return a new 1-D array of n uninitialised items, and set *data to its memory. The system maps no
 * memory that is never written to. */
static PyObject *new_array(size_t n, int type, void *data) {
  npy_intp shape = (npy_intp)n;
  PyObject *array = PyArray_SimpleNew(1, &shape, type);
  if (array)
    *(void **)data = PyArray_DATA((PyArrayObject *)array);
  return array;
}

/* Shorten the array to its first n items, in place: nobody else may have seen it yet. */
static PyObject *shortened(PyObject *array, size_t n) {
  npy_intp shape = (npy_intp)n;
  PyArray_Dims dims = {&shape, 1};
  PyObject *none = PyArray_Resize((PyArrayObject *)array, &dims, 0, NPY_CORDER);
  if (!none)
    Py_CLEAR(array);
  Py_XDECREF(none);
  return array;
}

/* ---- calls without the GIL --------------------------------------------------------------- */

/* A kernel's call. From 1 kB on it releases the GIL. From 1 MB on it also
 * checks for signals, and ends early if a handler raises: begin() returns its ck_interrupt. */
typedef struct {
  PyThreadState *given_up;
  ck_interrupt interrupt;
  ck_error error;
} Call;

/* Return 1 in the thread that runs signal handlers, 0 in others, or -1 with an exception set. A
 * daemon thread that took the GIL again while the interpreter ends would not come back. */
static int handles_signals(void) {
  PyObject *module = PyImport_ImportModule("ffi_cookbook.bindings._glue.signals");
  PyObject *answer = module ? PyObject_CallMethod(module, "handles_signals", NULL) : NULL;
  int yes = answer ? answer == Py_True : -1;
  Py_XDECREF(answer);
  Py_XDECREF(module);
  return yes;
}

/* Run the signal handlers; an exception that they raise stays set. */
static int ask(void *context) {
  Call *call = context;
  PyEval_RestoreThread(call->given_up);
  int raised = PyErr_CheckSignals();
  call->given_up = PyEval_SaveThread();
  return raised;
}

static ck_interrupt *begin_long(Call *call, size_t size) {
  enum { LONG = 1 << 20 }; /* a shorter text takes a few milliseconds */
  int asks = size < LONG ? 0 : handles_signals();
  if (asks) /* or has failed: then there is no call */
    call->interrupt = (ck_interrupt){.ask = ask, .context = call, .ended = asks < 0};
  call->given_up = PyEval_SaveThread();
  return asks ? &call->interrupt : NULL;
}

static inline ck_interrupt *begin(Call *call, size_t size) {
  enum { WORTH_THE_GIL = 1 << 10 }; /* releasing and reacquiring it takes as long as 1 kB */
  call->given_up = NULL;
  call->error.code = CK_OK;
  return size < WORTH_THE_GIL ? NULL : begin_long(call, size);
}

static int end_long(Call *call, const Tokenizer *self) {
  if (call->given_up)
    PyEval_RestoreThread(call->given_up);
  if (call->error.code == CK_OK)
    return 0;
  if (call->error.code != CK_INTERRUPTED) /* whose exception is set */
    raise_error("tokenizer_error", &call->error, self->names);
  return -1;
}

/* Return 0, or -1 with an exception set. */
static inline int end(Call *call, const Tokenizer *self) {
  return call->given_up || call->error.code != CK_OK ? end_long(call, self) : 0;
}

/* ---- kernel ------------------------------------------------------------------------------ */

static PyObject *tokenizer_encode(Tokenizer *self, PyObject *const *args, Py_ssize_t nargs,
                                  PyObject *kwnames) {
  static const char *const names[] = {"", "allowed_special", "disallowed_special"};
  PyObject *v[3] = {NULL}, *owner, *result = NULL;
  Py_ssize_t size;
  if (parse_arguments("encode", names, 1, 1, 3, args, nargs, kwnames, v) < 0)
    return NULL;
  const char *text = text_utf8(v[0], &size, &owner);
  if (!text)
    return NULL;
  PyObject *policy = special_policy(self, v[1], v[2]);
  size_t n = (size_t)size;
  uint32_t *ids;
  if (policy && (result = new_array(n, NPY_UINT32, &ids))) {
    Call call;
    ck_buffer room = {ids, n, 0};
    ck_bpe_encode(self->bpe, (const uint8_t *)text, n, (uint8_t *)PyBytes_AS_STRING(policy), &room,
                  begin(&call, n), &call.error);
    if (end(&call, self) == 0)
      result = shortened(result, room.n);
    else
      Py_CLEAR(result);
  }
  Py_XDECREF(policy);
  Py_XDECREF(owner);
  return result;
}

/* Run `ck_bpe_encode` to count if `ends` is NULL, else `ck_bpe_split`. Return -1 on failure. */
static Py_ssize_t run(Tokenizer *self, const char *text, size_t n, int64_t *ends) {
  ck_buffer room = {ends, n, 0};
  Call call;
  ck_interrupt *interrupt = begin(&call, n);
  const uint8_t *bytes = (const uint8_t *)text;
  if (ends)
    ck_bpe_split(self->bpe, bytes, n, &room, interrupt, &call.error);
  else
    ck_bpe_encode(self->bpe, bytes, n, ordinary(self), &room, interrupt, &call.error);
  return end(&call, self) == 0 ? (Py_ssize_t)room.n : -1;
}

static PyObject *tokenizer_count(Tokenizer *self, PyObject *text) {
  PyObject *owner;
  Py_ssize_t size;
  const char *data = text_utf8(text, &size, &owner);
  Py_ssize_t count = data ? run(self, data, (size_t)size, NULL) : -1;
  Py_XDECREF(owner);
  return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

static PyObject *tokenizer_split(Tokenizer *self, PyObject *text) {
  PyObject *owner, *result = NULL;
  Py_ssize_t size;
  const char *data = text_utf8(text, &size, &owner);
  int64_t *ends;
  if (data && (result = new_array((size_t)size, NPY_INT64, &ends))) {
    Py_ssize_t count = run(self, data, (size_t)size, ends);
    if (count >= 0)
      result = shortened(result, (size_t)count);
    else
      Py_CLEAR(result);
  }
  Py_XDECREF(owner);
  return result;
}

static PyObject *tokenizer_encode_into(Tokenizer *self, PyObject *const *args, Py_ssize_t nargs) {
  if (nargs != 2)
    return PyErr_Format(PyExc_TypeError, "encode_into() takes 2 arguments, not %zd", nargs);
  Py_buffer view = {NULL};
  if (PyBytes_CheckExact(args[0])) { /* bytes never change or move */
    view.buf = PyBytes_AS_STRING(args[0]);
    view.len = PyBytes_GET_SIZE(args[0]);
  } else if (borrow(args[0], "buffer", &view) < 0) {
    return NULL;
  }
  PyObject *result = NULL;
  const uint8_t *text = view.buf;
  size_t capacity, size = (size_t)view.len;
  uint32_t *ids = ids_of(args[1], "out", 1, &capacity);
  if (ids && size && capacity && text < (uint8_t *)(ids + capacity) &&
      (uint8_t *)ids < text + size) {
    PyErr_SetString(PyExc_ValueError, "out must not overlap buffer");
  } else if (ids) {
    Call call;
    ck_buffer room = {ids, capacity, 0};
    ck_bpe_encode(self->bpe, text, size, ordinary(self), &room, begin(&call, size), &call.error);
    if (end(&call, self) == 0)
      result = PyLong_FromSize_t(room.n);
  }
  PyBuffer_Release(&view);
  return result;
}

static PyObject *tokenizer_decode(Tokenizer *self, PyObject *object) {
  size_t n;
  const uint32_t *ids = ids_of(object, "ids", 0, &n);
  if (!ids)
    return NULL;
  Call call;
  ck_buffer room = {NULL, 0, 0};
  ck_bpe_decode(self->bpe, ids, n, &room, begin(&call, n), &call.error);
  size_t size = room.n;
  PyObject *bytes =
      end(&call, self) == 0 ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size) : NULL;
  if (!bytes)
    return NULL;
  room = (ck_buffer){PyBytes_AS_STRING(bytes), size, 0}; /* not yet seen by anyone else */
  ck_bpe_decode(self->bpe, ids, n, &room, begin(&call, size), &call.error);
  if (end(&call, self) < 0)
    Py_CLEAR(bytes);
  else if (room.n != size) /* another thread changed the ids meanwhile */
    _PyBytes_Resize(&bytes, (Py_ssize_t)room.n);
  return bytes;
}

/* Return (ids, offsets) of the texts, or NULL with an exception set. */
static PyObject *encode_texts(Tokenizer *self, const Texts *texts, PyObject *policy, int threads) {
  uint32_t *ids;
  int64_t *id_offsets;
  PyObject *id_array = new_array(texts->total, NPY_UINT32, &ids), *result = NULL;
  PyObject *offset_array = id_array ? new_array(texts->n + 1, NPY_INT64, &id_offsets) : NULL;
  if (offset_array) {
    Call call;
    const ck_texts given = {texts->texts, texts->sizes, texts->n};
    ck_buffer room = {ids, texts->total, 0};
    ck_bpe_encode_batch(self->bpe, &given, (uint8_t *)PyBytes_AS_STRING(policy), &room, id_offsets,
                        threads, begin(&call, texts->total), &call.error);
    if (end(&call, self) == 0 && (id_array = shortened(id_array, (size_t)id_offsets[texts->n])))
      result = PyTuple_Pack(2, id_array, offset_array);
  }
  Py_XDECREF(id_array);
  Py_XDECREF(offset_array);
  return result;
}

static PyObject *tokenizer_encode_batch(Tokenizer *self, PyObject *const *args, Py_ssize_t nargs,
                                        PyObject *kwnames) {
  static const char *const names[] = {"texts", "threads", "allowed_special", "disallowed_special"};
  PyObject *v[4] = {NULL}, *result = NULL;
  int threads = 1;
  if (parse_arguments("encode_batch", names, 1, 2, 4, args, nargs, kwnames, v) < 0 ||
      (v[1] && parse_threads(v[1], &threads) < 0))
    return NULL;
  if (!PyList_Check(v[0]) && !PyTuple_Check(v[0]))
    return refuse_type("texts must be a list or tuple of str or bytes", v[0]);
  PyObject *tuple = PySequence_Tuple(v[0]), *policy = NULL;
  Texts texts = {NULL};
  if (tuple && borrow_texts(&texts, tuple) == 0 && (policy = special_policy(self, v[2], v[3])))
    result = encode_texts(self, &texts, policy, threads);
  release_texts(&texts);
  Py_XDECREF(tuple);
  Py_XDECREF(policy);
  return result;
}

/* ---- object ------------------------------------------------------------------------------ */

/* There is no tp_clear, as for a tuple: the objects that a tokenizer refers to existed before it
 * and are never replaced, so a cycle leads through another object, whose tp_clear breaks it. */
static int tokenizer_traverse(Tokenizer *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(self->model);
  Py_VISIT(self->names);
  return 0;
}

static void tokenizer_dealloc(Tokenizer *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  ck_bpe_close(self->bpe);
  Py_XDECREF(self->blob);
  Py_XDECREF(self->model);
  Py_XDECREF(self->names);
  Py_XDECREF(self->policy);
  Py_XDECREF(self->ordinary);
  type->tp_free(self);
  Py_DECREF(type);
}

/* Everything is made in __new__, and the model is queried before the tokenizer exists, so that a
 * half-made one can never be called, not even through the garbage collector. */
static PyObject *tokenizer_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"model", NULL};
  PyObject *model, *answers, *special_names, *policy, *plain, *blob;
  Tokenizer *self = NULL;
  ck_bpe *bpe = NULL;
  ck_error error;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Tokenizer", names, &model) ||
      !(answers = asked(model)))
    return NULL;
  if (PyArg_ParseTuple(answers, "OOSS", &special_names, &policy, &plain, &blob)) {
    const uint8_t *bytes = (const uint8_t *)PyBytes_AS_STRING(blob);
    bpe = ck_bpe_open(bytes, (size_t)PyBytes_GET_SIZE(blob), 0, &error);
    if (!bpe)
      raise_error("tokenizer_error", &error, special_names);
    else if (check_policy(policy, ck_bpe_n_special(bpe)) == 0)
      self = (Tokenizer *)type->tp_alloc(type, 0);
  }
  if (self) { /* nothing from here on runs Python code */
    self->model = Py_NewRef(model);
    self->names = Py_NewRef(special_names);
    self->policy = Py_NewRef(policy);
    self->ordinary = Py_NewRef(plain);
    self->blob = Py_NewRef(blob);
    self->bpe = bpe;
  } else {
    ck_bpe_close(bpe);
  }
  Py_DECREF(answers);
  return (PyObject *)self;
}

static PyObject *tokenizer_reduce(Tokenizer *self, PyObject *Py_UNUSED(none)) {
  return Py_BuildValue("O(O)", Py_TYPE(self), self->model);
}

/* ---- module ------------------------------------------------------------------------------ */

#define TOKENIZER_METHOD(name, flags, signature, doc)                                              \
  {#name, (PyCFunction)(void (*)(void))tokenizer_##name, flags,                                    \
   #name "($self, " signature ")\n--\n\n" doc "."}

static PyMethodDef tokenizer_methods[] = {
    TOKENIZER_METHOD(encode, METH_FASTCALL | METH_KEYWORDS,
                     "text, /, *, allowed_special=(), disallowed_special='all'",
                     "Return the ids of a text"),
    TOKENIZER_METHOD(encode_into, METH_FASTCALL, "buffer, out, /",
                     "Write the ids of UTF-8 bytes into an array"),
    TOKENIZER_METHOD(encode_batch, METH_FASTCALL | METH_KEYWORDS,
                     "texts, threads=1, *, allowed_special=(), disallowed_special='all'",
                     "Return the ids of many texts and where each begins"),
    TOKENIZER_METHOD(count, METH_O, "text, /", "Return the number of ids of a text"),
    TOKENIZER_METHOD(split, METH_O, "text, /", "Return where each pretoken ends"),
    TOKENIZER_METHOD(decode, METH_O, "ids, /", "Return the bytes of ids"),
    {"__reduce__", (PyCFunction)tokenizer_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyMemberDef tokenizer_members[] = {
    {"model", T_OBJECT_EX, offsetof(Tokenizer, model), READONLY, "the Model given"},
    {NULL, 0, 0, 0, NULL}};

static PyType_Slot tokenizer_slots[] = {
    {Py_tp_doc, "Tokenizer(model)\n--\n\nA byte-level BPE tokenizer; see protocol.Tokenizer."},
    {Py_tp_new, (void *)tokenizer_new},
    {Py_tp_dealloc, (void *)tokenizer_dealloc},
    {Py_tp_traverse, (void *)tokenizer_traverse},
    {Py_tp_methods, tokenizer_methods},
    {Py_tp_members, tokenizer_members},
    {0, NULL}};

static PyType_Spec tokenizer_spec = {.name = "ffi_cookbook.bindings.capi.tokenizer.Tokenizer",
                                     .basicsize = sizeof(Tokenizer),
                                     .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                                              Py_TPFLAGS_IMMUTABLETYPE,
                                     .slots = tokenizer_slots};

static int exec(PyObject *module) {
  PyObject *type = PyType_FromModuleAndSpec(module, &tokenizer_spec, NULL);
  int status = type ? PyModule_AddType(module, (PyTypeObject *)type) : -1;
  Py_XDECREF(type);
  return status < 0 ? -1 : PyArray_ImportNumPyAPI();
}

static PyMethodDef methods[] = {{NULL, NULL, 0, NULL}};

COOKBOOK_MODULE(tokenizer, methods, exec)
