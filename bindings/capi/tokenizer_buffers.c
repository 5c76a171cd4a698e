/* UTF-8 and ids in memory the caller lends, through the CPython C API's buffer protocol.
 *
 * Shows:  the call with the least overhead (encode_into makes no object but an int); bytes filled
 *         in place before anyone else sees them.
 * Bites:  another thread may write to borrowed memory during the call: what was measured in a first
 *         pass need not hold in a second.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "buffers.h"
#include "tokenizer.h"

PyObject *tokenizer_encode_into(Tokenizer *self, PyObject *const *args, Py_ssize_t nargs) {
  if (nargs != 2)
    return PyErr_Format(PyExc_TypeError, "encode_into() takes 2 arguments, not %zd", nargs);
  Views views = {.count = 0};
  PyObject *result = NULL;
  Py_ssize_t capacity;
  Py_buffer *text = take(&views, args[0], 0);
  uint32_t *ids = text ? take_uint32(&views, args[1], 1, &capacity) : NULL;
  if (!ids)
    return release(&views);
  size_t n_ids = 0;
  ck_error error = {0};
  Py_BEGIN_ALLOW_THREADS;
  ck_bpe_encode(&self->bpe, text->buf, (size_t)text->len, NULL, ids, (size_t)capacity, &n_ids,
                &self->pool, &error);
  Py_END_ALLOW_THREADS;
  result = error.code == CK_OK ? PyLong_FromSize_t(n_ids)
                               : raise_error("tokenizer_error", &error, self->names);
  release(&views);
  return result;
}

PyObject *tokenizer_decode(Tokenizer *self, PyObject *object) {
  Views views = {.count = 0};
  Py_ssize_t n;
  uint32_t *ids = take_uint32(&views, object, 0, &n);
  if (!ids)
    return release(&views);
  size_t size = 0, written = 0;
  ck_error error = {0};
  PyObject *bytes = NULL;
  ck_bpe_decode(&self->bpe, ids, (size_t)n, NULL, 0, &size, &error);
  if (error.code == CK_OK && (bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size))) {
    char *out = PyBytes_AS_STRING(bytes); /* not yet seen by anyone else */
    Py_BEGIN_ALLOW_THREADS;
    ck_bpe_decode(&self->bpe, ids, (size_t)n, (uint8_t *)out, size, &written, &error);
    Py_END_ALLOW_THREADS;
  }
  release(&views);
  if (error.code != CK_OK) {
    Py_CLEAR(bytes);
    raise_error("tokenizer_error", &error, self->names);
  } else if (bytes && written != size) { /* another thread changed the ids meanwhile */
    _PyBytes_Resize(&bytes, (Py_ssize_t)written);
  }
  return bytes;
}
