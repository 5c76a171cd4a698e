/* The tokenizer's calls through the CPython C API: borrow, run without the GIL, copy out.
 *
 * Shows:  scratch from PyMem_RawMalloc; results copied into an array of exactly their size.
 * Bites:  a str's UTF-8 lives as long as the str: hold it until the kernel is done.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>
#include <string.h>

#include "tokenizer.h"

int import_numpy(void) { return PyArray_ImportNumPyAPI(); }

PyObject *array_from(const void *items, size_t n, int type, size_t itemsize) {
  npy_intp shape = (npy_intp)n;
  PyObject *array = PyArray_SimpleNew(1, &shape, type);
  if (array && n)
    memcpy(PyArray_DATA((PyArrayObject *)array), items, n * itemsize);
  return array;
}

PyObject *tokenizer_encode(Tokenizer *self, PyObject *const *args, Py_ssize_t nargs,
                           PyObject *kwnames) {
  static const char *const names[] = {"text", "allowed_special", "disallowed_special"};
  PyObject *v[3] = {NULL}, *owner, *result = NULL;
  Py_ssize_t size;
  if (parse_arguments("encode", names, 1, 1, 3, args, nargs, kwnames, v) < 0)
    return NULL;
  const char *text = text_utf8(v[0], &size, &owner);
  if (!text)
    return NULL;
  PyObject *policy = special_policy(self, v[1], v[2]);
  size_t n = (size_t)size, scratch_size = ck_bpe_scratch_size(n), n_ids = 0;
  char *memory = policy ? PyMem_RawMalloc(IDS_SIZE(n) + scratch_size) : NULL;
  if (memory) {
    uint32_t *ids = (uint32_t *)memory;
    ck_error error = {0};
    Py_BEGIN_ALLOW_THREADS;
    ck_bpe_encode(&self->bpe, (const uint8_t *)text, n, (uint8_t *)PyBytes_AS_STRING(policy), ids,
                  n, &n_ids, memory + IDS_SIZE(n), scratch_size, &error);
    Py_END_ALLOW_THREADS;
    result = error.code == CK_OK ? array_from(ids, n_ids, NPY_UINT32, 4)
                                 : raise_error("tokenizer_error", &error, self->names);
    PyMem_RawFree(memory);
  } else if (policy) {
    PyErr_NoMemory();
  }
  Py_XDECREF(policy);
  Py_XDECREF(owner);
  return result;
}

/* Runs `ck_bpe_encode` to count when `ends` is NULL, else `ck_bpe_split`. -1 with an exception set.
 */
static Py_ssize_t run(Tokenizer *self, const char *text, size_t n, int64_t *ends) {
  size_t scratch_size = ends ? 0 : ck_bpe_scratch_size(n), count = 0;
  void *scratch = PyMem_RawMalloc(scratch_size);
  ck_error error = {0};
  if (!scratch) {
    PyErr_NoMemory();
    return -1;
  }
  Py_BEGIN_ALLOW_THREADS;
  if (ends)
    ck_bpe_split(&self->bpe, (const uint8_t *)text, n, ends, n, &count, &error);
  else
    ck_bpe_encode(&self->bpe, (const uint8_t *)text, n, NULL, NULL, 0, &count, scratch,
                  scratch_size, &error);
  Py_END_ALLOW_THREADS;
  PyMem_RawFree(scratch);
  if (error.code == CK_OK)
    return (Py_ssize_t)count;
  raise_error("tokenizer_error", &error, self->names);
  return -1;
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
  int64_t *ends = data ? PyMem_RawMalloc((size_t)size * 8) : NULL;
  if (data && !ends)
    PyErr_NoMemory();
  Py_ssize_t count = ends ? run(self, data, (size_t)size, ends) : -1;
  if (count >= 0)
    result = array_from(ends, (size_t)count, NPY_INT64, 8);
  PyMem_RawFree(ends);
  Py_XDECREF(owner);
  return result;
}
