/* Many texts in one kernel call, through the CPython C API.
 *
 * Shows:  a list of texts laid end to end, with offsets, in memory of our own; two arrays out.
 * Bites:  a list may change whenever Python code runs, so the batch works on a tuple of its own.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/ndarraytypes.h>
#include <string.h>

#include "tokenizer.h"

typedef struct {
  char *data;
  size_t size, capacity;
  int64_t *offsets; /* [n + 1] */
} Texts;

/* Appends one text. -1 with an exception set. */
static int append(Texts *texts, PyObject *text) {
  PyObject *owner;
  Py_ssize_t size;
  const char *data = text_utf8(text, &size, &owner);
  if (!data)
    return -1;
  int status = 0;
  size_t needed = texts->size + (size_t)size;
  if (needed > texts->capacity) {
    char *grown = PyMem_RawRealloc(texts->data, needed * 2);
    if (grown) {
      texts->data = grown;
      texts->capacity = needed * 2;
    } else {
      PyErr_NoMemory();
      status = -1;
    }
  }
  if (status == 0 && size > 0) {
    memcpy(texts->data + texts->size, data, (size_t)size);
    texts->size = needed;
  }
  Py_XDECREF(owner);
  return status;
}

/* Lays the texts of a tuple end to end. -1 with an exception set. */
static int join(Texts *texts, PyObject *tuple) {
  Py_ssize_t n = PyTuple_GET_SIZE(tuple);
  texts->offsets = PyMem_RawCalloc((size_t)n + 1, sizeof(int64_t));
  if (!texts->offsets) {
    PyErr_NoMemory();
    return -1;
  }
  for (Py_ssize_t i = 0; i < n; i++) {
    if (append(texts, PyTuple_GET_ITEM(tuple, i)) < 0)
      return -1;
    texts->offsets[i + 1] = (int64_t)texts->size;
  }
  return 0;
}

/* (ids, offsets) of the n joined texts, or NULL with an exception set. */
static PyObject *encode(Tokenizer *self, Texts *texts, size_t n, PyObject *policy, int threads) {
  uint32_t *ids;
  int64_t *id_offsets;
  PyObject *id_array = new_array(texts->size, NPY_UINT32, &ids), *result = NULL;
  PyObject *offset_array = id_array ? new_array(n + 1, NPY_INT64, &id_offsets) : NULL;
  if (offset_array) {
    ck_error error = {0};
    Py_BEGIN_ALLOW_THREADS;
    ck_bpe_encode_batch(&self->bpe, (uint8_t *)texts->data, texts->offsets, n,
                        (uint8_t *)PyBytes_AS_STRING(policy), ids, texts->size, id_offsets,
                        &self->pool, threads, &error);
    Py_END_ALLOW_THREADS;
    if (error.code != CK_OK)
      raise_error("tokenizer_error", &error, self->names);
    else if ((id_array = shortened(id_array, (size_t)id_offsets[n])))
      result = PyTuple_Pack(2, id_array, offset_array);
  }
  Py_XDECREF(id_array);
  Py_XDECREF(offset_array);
  return result;
}

PyObject *tokenizer_encode_batch(Tokenizer *self, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames) {
  static const char *const names[] = {"texts", "threads", "allowed_special", "disallowed_special"};
  PyObject *v[4] = {NULL}, *result = NULL;
  int threads = 1;
  if (parse_arguments("encode_batch", names, 1, 2, 4, args, nargs, kwnames, v) < 0 ||
      (v[1] && parse_threads(v[1], &threads) < 0))
    return NULL;
  if (!PyList_Check(v[0]) && !PyTuple_Check(v[0]))
    return PyErr_Format(PyExc_TypeError, "texts must be a list or tuple of str or bytes, not %s",
                        Py_TYPE(v[0])->tp_name);
  PyObject *policy = special_policy(self, v[2], v[3]);
  PyObject *tuple = policy ? PySequence_Tuple(v[0]) : NULL;
  Texts texts = {NULL};
  if (tuple && join(&texts, tuple) == 0)
    result = encode(self, &texts, (size_t)PyTuple_GET_SIZE(tuple), policy, threads);
  PyMem_RawFree(texts.offsets);
  PyMem_RawFree(texts.data);
  Py_XDECREF(tuple);
  Py_XDECREF(policy);
  return result;
}
