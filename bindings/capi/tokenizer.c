/* The tokenizer through the CPython C API.
 *
 * Shows:  a class as a heap type: an object that owns a borrowed buffer and a C struct, methods, an
 *         attribute, pickling; text in; ids out in an array of their exact size.
 * Build:  Python_add_library(... tokenizer.c tokenizer_calls.c tokenizer_batch.c
 *         tokenizer_buffers.c), CPython's and NumPy's include directories.
 * Bites:  an instance of a heap type owns a reference to its type: tp_dealloc must give it back.
 *
 * Memory: the tokenizer keeps the Model alive and borrows its blob until it dies; calls share nothing
 * but a pool, so any number of threads may call it at once. Results belong to the caller.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <structmember.h>

#include "tokenizer.h"

/* ---- object ------------------------------------------------------------------------------ */

static void tokenizer_dealloc(Tokenizer *self) {
  PyTypeObject *type = Py_TYPE(self);
  ck_bpe_pool_free(&self->pool);
  PyBuffer_Release(&self->blob); /* does nothing if it was never taken */
  Py_XDECREF(self->model);
  Py_XDECREF(self->names);
  Py_XDECREF(self->policy);
  type->tp_free(self);
  Py_DECREF(type);
}

/* Everything is made in __new__, so that no half-made tokenizer can ever be called. */
static PyObject *tokenizer_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  static char *names[] = {"model", NULL};
  PyObject *model, *blob = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Tokenizer", names, &model))
    return NULL;
  Tokenizer *self = (Tokenizer *)type->tp_alloc(type, 0);
  if (!self)
    return NULL;
  self->model = Py_NewRef(model);
  if (!(self->names = PyObject_GetAttrString(model, "special_names")) ||
      !(self->policy = PyObject_GetAttrString(model, "default_policy")) ||
      !(blob = PyObject_GetAttrString(model, "blob")) ||
      PyObject_GetBuffer(blob, &self->blob, PyBUF_SIMPLE) < 0)
    goto fail;
  if (ck_bpe_open(&self->bpe, self->blob.buf, (size_t)self->blob.len) != CK_OK) {
    PyErr_SetString(PyExc_ValueError, "not a tokenizer model");
    goto fail;
  }
  if (!PyBytes_Check(self->policy) || PyBytes_GET_SIZE(self->policy) != self->bpe.n_special) {
    PyErr_SetString(PyExc_ValueError, "the model's default_policy does not fit its blob");
    goto fail;
  }
  Py_DECREF(blob);
  return (PyObject *)self;
fail:
  Py_XDECREF(blob);
  Py_DECREF(self);
  return NULL;
}

static PyObject *tokenizer_reduce(Tokenizer *self, PyObject *Py_UNUSED(none)) {
  return Py_BuildValue("O(O)", Py_TYPE(self), self->model);
}

/* ---- arguments --------------------------------------------------------------------------- */

const char *text_utf8(PyObject *text, Py_ssize_t *size, PyObject **owner) {
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
  PyErr_Clear(); /* lone surrogates: made whole as tiktoken does */
  PyObject *module = PyImport_ImportModule("bindings.tokenizer");
  if (module)
    *owner = PyObject_CallMethod(module, "replace_surrogates", "O", text);
  Py_XDECREF(module);
  if (*owner && !(data = PyUnicode_AsUTF8AndSize(*owner, size)))
    Py_CLEAR(*owner);
  return data;
}

PyObject *special_policy(Tokenizer *self, PyObject *allowed, PyObject *disallowed) {
  if (!allowed && !disallowed)
    return Py_NewRef(self->policy);
  PyObject *empty = allowed ? Py_NewRef(allowed) : PyTuple_New(0);
  PyObject *all = disallowed ? Py_NewRef(disallowed) : PyUnicode_FromString("all");
  PyObject *policy =
      empty && all ? PyObject_CallMethod(self->model, "special_policy", "OO", empty, all) : NULL;
  Py_XDECREF(empty);
  Py_XDECREF(all);
  if (policy && (!PyBytes_Check(policy) || PyBytes_GET_SIZE(policy) != self->bpe.n_special)) {
    PyErr_SetString(PyExc_ValueError, "the model's special_policy does not fit its blob");
    Py_CLEAR(policy);
  }
  return policy;
}

/* ---- module ------------------------------------------------------------------------------ */

#define METHOD(name, flags)                                                                        \
  {#name, (PyCFunction)(void (*)(void))tokenizer_##name, flags,                                    \
   "See bindings.protocol.Tokenizer." #name "."}

static PyMethodDef tokenizer_methods[] = {
    METHOD(encode, METH_FASTCALL | METH_KEYWORDS),
    METHOD(encode_into, METH_FASTCALL),
    METHOD(encode_batch, METH_FASTCALL | METH_KEYWORDS),
    METHOD(count, METH_O),
    METHOD(split, METH_O),
    METHOD(decode, METH_O),
    {"__reduce__", (PyCFunction)tokenizer_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyMemberDef tokenizer_members[] = {
    {"model", T_OBJECT_EX, offsetof(Tokenizer, model), READONLY, "the Model given"},
    {NULL, 0, 0, 0, NULL}};

static PyType_Slot tokenizer_slots[] = {
    {Py_tp_doc, "Tokenizer(model)\n--\n\nSee bindings.protocol.Tokenizer."},
    {Py_tp_new, (void *)tokenizer_new},
    {Py_tp_dealloc, (void *)tokenizer_dealloc},
    {Py_tp_methods, tokenizer_methods},
    {Py_tp_members, tokenizer_members},
    {0, NULL}};

static PyType_Spec tokenizer_spec = {.name = "bindings.capi.tokenizer.Tokenizer",
                                     .basicsize = sizeof(Tokenizer),
                                     .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                                     .slots = tokenizer_slots};

static int exec(PyObject *module) {
  PyObject *type = PyType_FromModuleAndSpec(module, &tokenizer_spec, NULL);
  int status = type ? PyModule_AddType(module, (PyTypeObject *)type) : -1;
  Py_XDECREF(type);
  return status < 0 ? -1 : import_numpy();
}

static PyMethodDef methods[] = {{NULL, NULL, 0, NULL}};

COOKBOOK_MODULE(tokenizer, methods, exec)
