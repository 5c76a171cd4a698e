/* Many texts in one kernel call, through the CPython C API.
 *
 * Shows:  a list of texts borrowed by the kernel where they lie, without a copy; two arrays out.
 * Bites:  a list may change whenever Python code runs, so the batch holds a reference of its own to
 *         each text.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/ndarraytypes.h>

#include "arguments.h"
#include "threads.h"
#include "tokenizer.h"
#include "type_error.h"

/* ---- arguments --------------------------------------------------------------------------- */

typedef struct {
  PyObject **owners; /* these keep the texts alive */
  const uint8_t **texts;
  size_t *sizes, n, total;
} Texts;

static void release(Texts *borrowed) {
  for (size_t i = 0; borrowed->owners && i < borrowed->n; i++)
    Py_XDECREF(borrowed->owners[i]);
  PyMem_RawFree(borrowed->owners);
  PyMem_RawFree(borrowed->texts);
  PyMem_RawFree(borrowed->sizes);
}

/* Borrow the texts of a tuple. Return -1 with an exception set on failure. */
static int borrow(Texts *borrowed, PyObject *tuple) {
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

/* ---- kernel ------------------------------------------------------------------------------ */

/* Return (ids, offsets) of the texts, or NULL with an exception set. */
static PyObject *encode(Tokenizer *self, const Texts *texts, PyObject *policy, int threads) {
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
  PyObject *tuple = PySequence_Tuple(v[0]), *policy = NULL;
  Texts texts = {NULL};
  if (tuple && borrow(&texts, tuple) == 0 && (policy = special_policy(self, v[2], v[3])))
    result = encode(self, &texts, policy, threads);
  release(&texts);
  Py_XDECREF(tuple);
  Py_XDECREF(policy);
  return result;
}
