/* The tokenizer through the CPython C API.
 *
 * Shows:  a class as a heap type: an object that owns what a library has opened; methods, an
 *         attribute, pickling, garbage collection; text in; ids out in an array of their exact size.
 * Build:  Python_add_library(... tokenizer.c tokenizer_arguments.c tokenizer_calls.c
 *         tokenizer_batch.c tokenizer_buffers.c), CPython's and NumPy's include directories.
 * Bites:  an instance of a heap type owns a reference to its type: tp_dealloc must release it.
 *
 * Memory: the tokenizer keeps the Model alive, and its blob, which is bytes that nobody can change;
 * calls share nothing but caches, no two of which use the same one, so any number of threads may
 * call it at once. Results belong to the caller.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <structmember.h>

#include "errors.h"
#include "module.h"
#include "tokenizer.h"

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
  type->tp_free(self);
  Py_DECREF(type);
}

/* Everything is made in __new__, and the model is queried before the tokenizer exists, so that a
 * half-made one can never be called, not even through the garbage collector. */
static PyObject *tokenizer_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"model", NULL};
  PyObject *model, *answers, *special_names, *policy, *blob;
  Tokenizer *self = NULL;
  ck_bpe *bpe = NULL;
  ck_error error;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Tokenizer", names, &model) ||
      !(answers = asked(model)))
    return NULL;
  if (PyArg_ParseTuple(answers, "OOS", &special_names, &policy, &blob)) {
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
    {Py_tp_doc,
     "Tokenizer(model)\n--\n\nA byte-level BPE tokenizer; see ffi_cookbook.bindings.protocol.Tokenizer."},
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
  return status < 0 ? -1 : import_numpy();
}

static PyMethodDef methods[] = {{NULL, NULL, 0, NULL}};

COOKBOOK_MODULE(tokenizer, methods, exec)
