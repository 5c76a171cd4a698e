/* UTF-8 and ids in the caller's memory, through NumPy's C API and the buffer protocol.
 *
 * Shows:  the call with the least overhead (encode_into makes no object but an int); bytes filled
 *         in place before anyone else sees them.
 * Bites:  another thread may write to borrowed memory during the call: what a first pass measured
 *         need not hold in a second. For a NumPy array the buffer protocol costs several times as
 *         much as NumPy's own API, since each view spells out the dtype.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "buffers.h"
#include "tokenizer.h"

/* ---- kernel ------------------------------------------------------------------------------ */

PyObject *tokenizer_encode_into(Tokenizer *self, PyObject *const *args, Py_ssize_t nargs) {
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
    ck_bpe_encode(self->bpe, text, size, NULL, &room, begin(&call, size), &call.error);
    if (end(&call, self) == 0)
      result = PyLong_FromSize_t(room.n);
  }
  PyBuffer_Release(&view);
  return result;
}

PyObject *tokenizer_decode(Tokenizer *self, PyObject *object) {
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
