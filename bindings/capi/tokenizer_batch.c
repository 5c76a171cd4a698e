/* Many texts in one kernel call, through the CPython C API.
 *
 * Shows:  a list of texts lent to the kernel where they lie, without a copy; two arrays out.
 * Bites:  a list may change whenever Python code runs, so the batch works on a list of its own,
 *         which keeps what was lent.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/ndarraytypes.h>

#include "tokenizer.h"

typedef struct {
  const uint8_t **texts;
  size_t *sizes, n, total;
} Texts;

/* Where the texts of a list lie, which then holds what keeps them. -1 with an exception set. */
static int lend(Texts *lent, PyObject *list) {
  lent->n = (size_t)PyList_GET_SIZE(list);
  lent->texts = PyMem_RawCalloc(lent->n, sizeof *lent->texts);
  lent->sizes = PyMem_RawCalloc(lent->n, sizeof *lent->sizes);
  if (!lent->texts || !lent->sizes) {
    PyErr_NoMemory();
    return -1;
  }
  for (size_t i = 0; i < lent->n; i++) {
    PyObject *owner;
    Py_ssize_t size;
    const char *data = text_utf8(PyList_GET_ITEM(list, (Py_ssize_t)i), &size, &owner);
    if (!data || (owner && PyList_SetItem(list, (Py_ssize_t)i, owner) < 0))
      return -1;
    lent->texts[i] = (const uint8_t *)data;
    lent->sizes[i] = (size_t)size;
    lent->total += (size_t)size;
  }
  return 0;
}

/* (ids, offsets) of the texts, or NULL with an exception set. */
static PyObject *encode(Tokenizer *self, const Texts *lent, PyObject *policy, int threads) {
  uint32_t *ids;
  int64_t *id_offsets;
  PyObject *id_array = new_array(lent->total, NPY_UINT32, &ids), *result = NULL;
  PyObject *offset_array = id_array ? new_array(lent->n + 1, NPY_INT64, &id_offsets) : NULL;
  if (offset_array) {
    ck_error error = {0};
    PyThreadState *given_up = give_up_gil(lent->total);
    ck_bpe_encode_batch(&self->bpe, lent->texts, lent->sizes, lent->n,
                        (uint8_t *)PyBytes_AS_STRING(policy), ids, lent->total, id_offsets,
                        &self->pool, threads, &error);
    take_gil_again(given_up);
    if (error.code != CK_OK)
      raise_error("tokenizer_error", &error, self->names);
    else if ((id_array = shortened(id_array, (size_t)id_offsets[lent->n])))
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
    return refuse_type("texts must be a list or tuple of str or bytes", v[0]);
  PyObject *policy = special_policy(self, v[2], v[3]);
  PyObject *list = policy ? PySequence_List(v[0]) : NULL;
  Texts lent = {NULL};
  if (list && lend(&lent, list) == 0)
    result = encode(self, &lent, policy, threads);
  PyMem_RawFree(lent.sizes);
  PyMem_RawFree(lent.texts);
  Py_XDECREF(list);
  Py_XDECREF(policy);
  return result;
}
