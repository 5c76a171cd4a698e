/* The tokenizer's calls through the CPython C API: borrow, run without the GIL, cut to size.
 *
 * Shows:  a result of unknown size, written once: into an array of the largest possible size, which
 *         is shortened in place. The system maps no memory that is never written to.
 * Bites:  a str's UTF-8 lives as long as the str: hold it until the kernel is done.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>
#include <string.h>

#include "arguments.h"
#include "tokenizer.h"

/* ---- arrays ------------------------------------------------------------------------------ */

int import_numpy(void) { return PyArray_ImportNumPyAPI(); }

uint32_t *ids_of(PyObject *object, const char *name, int writable, size_t *n) {
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

PyObject *new_array(size_t n, int type, void *data) {
  npy_intp shape = (npy_intp)n;
  PyObject *array = PyArray_SimpleNew(1, &shape, type);
  if (array)
    *(void **)data = PyArray_DATA((PyArrayObject *)array);
  return array;
}

PyObject *shortened(PyObject *array, size_t n) {
  npy_intp shape = (npy_intp)n;
  PyArray_Dims dims = {&shape, 1};
  PyObject *none = PyArray_Resize((PyArrayObject *)array, &dims, 0, NPY_CORDER);
  if (!none)
    Py_CLEAR(array);
  Py_XDECREF(none);
  return array;
}

/* ---- kernel ------------------------------------------------------------------------------ */

PyObject *tokenizer_encode(Tokenizer *self, PyObject *const *args, Py_ssize_t nargs,
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
    ck_bpe_encode(self->bpe, bytes, n, NULL, &room, interrupt, &call.error);
  return end(&call, self) == 0 ? (Py_ssize_t)room.n : -1;
}

PyObject *tokenizer_count(Tokenizer *self, PyObject *text) {
  PyObject *owner;
  Py_ssize_t size;
  const char *data = text_utf8(text, &size, &owner);
  Py_ssize_t count = data ? run(self, data, (size_t)size, NULL) : -1;
  Py_XDECREF(owner);
  return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

PyObject *tokenizer_split(Tokenizer *self, PyObject *text) {
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
