/* Bind a real kernel with all the patterns: index_records, the index of a TFRecord file.
 *
 * Write it with the name and the signature that all bindings of this project have
 * (bindings/protocol/backend.py), so that it can be measured beside them:
 *
 *   index_records(buffer, spans, cursor, verify=True, final=True, resync=False) -> int
 *
 * buffer   any contiguous buffer; it may be read-only
 * spans    a writable buffer of int64, C-contiguous, of shape (n, 2), which is filled
 * cursor   a writable buffer of int64, C-contiguous, of shape (4,): the fields of frames_cursor
 *
 *   >>> spans, cursor = np.zeros((9, 2), np.int64), np.zeros(4, np.int64)
 *   >>> exercise.index_records(data, spans, cursor)       # data has the records b"abc" and b""
 *   2
 *   >>> spans[:2].tolist(), cursor.tolist()
 *   ([[12, 3], [31, 0]], [0, 35, 2, 2])
 *
 * It returns the number of rows, cursor[3]. frames_portion of portion.h does the work:
 *
 * errors     TypeError if an array does not hold int64, ValueError if it has another fault. A fault
 *            in the data is a ValueError "record 1 at byte 19: ..." with a text of `faults`
 * GIL        released for LEAST bytes or more, held for fewer
 * signals    a look after each portion; the exception of a handler ends the call
 * threads    another thread may write to `cursor` meanwhile: C works on a copy
 * the end    however the call ends, what was borrowed is released, and `cursor` tells how far it got,
 *            so that the caller can go on from there
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "portion.h"
#include <string.h>

enum { LEAST = 65536 };

static const char *const faults[] = {
    [FRAMES_TRUNCATED] = "the data ends inside the record",
    [FRAMES_LENGTH_CRC] = "the CRC of the length is wrong",
    [FRAMES_DATA_CRC] = "the CRC of the data is wrong",
    [FRAMES_CURSOR] = "the cursor is not in the data, or not in spans",
};

// BEGIN SOLUTION
/* What was borrowed for a call. */
typedef struct {
  Py_buffer data, spans, cursor;
} Borrowed;

/* Borrow a writable, contiguous int64 array of ndim dimensions, the last of length `columns`. */
static int borrow_table(PyObject *object, const char *name, Py_buffer *view, int ndim,
                        Py_ssize_t columns) {
  if (PyObject_GetBuffer(object, view, PyBUF_CONTIG | PyBUF_FORMAT) < 0)
    return -1;
  if (view->itemsize != 8 || !strchr("lq", view->format[0]) || view->format[1])
    PyErr_Format(PyExc_TypeError, "%s must hold int64", name);
  else if (view->ndim != ndim || view->shape[ndim - 1] != columns)
    PyErr_Format(PyExc_ValueError, "%s has the wrong shape", name);
  else
    return 0;
  PyBuffer_Release(view);
  return -1;
}

/* Index portion by portion. Return 0, or -1 with an exception set. The cursor is valid either way. */
static int index_all(const Borrowed *in, uint32_t options, frames_cursor *cursor) {
  frames_error error = {0};
  int more = 1;
  while (more > 0) {
    PyThreadState *state = in->data.len >= LEAST ? PyEval_SaveThread() : NULL;
    more = frames_portion(in->data.buf, (size_t)in->data.len, in->spans.buf,
                          (size_t)in->spans.shape[0], options, cursor, &error);
    if (state)
      PyEval_RestoreThread(state);
    if (PyErr_CheckSignals() < 0)
      return -1;
  }
  if (!error.code)
    return 0;
  PyErr_Format(PyExc_ValueError, "record %lld at byte %lld: %s", (long long)error.record,
               (long long)error.offset, faults[error.code]);
  return -1;
}

// END SOLUTION
static PyObject *index_records(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords) {
  static char *names[] = {"buffer", "spans", "cursor", "verify", "final", "resync", NULL};
  PyObject *objects[3];
  int verify = 1, final = 1, resync = 0;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OOO|ppp", names, &objects[0], &objects[1],
                                   &objects[2], &verify, &final, &resync))
    return NULL;
  if (resync)
    return PyErr_Format(PyExc_NotImplementedError, "resync");
  uint32_t options = (verify ? FRAMES_VERIFY : 0) | (final ? FRAMES_FINAL : 0);
  //: (void)options;
  //: (void)faults;
  //: /* TODO */
  //: return PyErr_Format(PyExc_NotImplementedError, "%d", LEAST);
  // BEGIN SOLUTION
  Borrowed in;
  PyObject *result = NULL;
  if (PyObject_GetBuffer(objects[0], &in.data, PyBUF_SIMPLE) < 0)
    return NULL;
  if (borrow_table(objects[1], "spans", &in.spans, 2, 2) < 0)
    goto release_data;
  if (borrow_table(objects[2], "cursor", &in.cursor, 1, 4) < 0)
    goto release_spans;
  frames_cursor cursor; /* a copy, which no other thread can change */
  memcpy(&cursor, in.cursor.buf, sizeof cursor);
  int failed = index_all(&in, options, &cursor);
  memcpy(in.cursor.buf, &cursor, sizeof cursor);
  if (!failed)
    result = PyLong_FromLongLong(cursor.rows);
  PyBuffer_Release(&in.cursor);
release_spans:
  PyBuffer_Release(&in.spans);
release_data:
  PyBuffer_Release(&in.data);
  return result;
  // END SOLUTION
}

static PyMethodDef methods[] = {
    {"index_records", (PyCFunction)(void (*)(void))index_records, METH_VARARGS | METH_KEYWORDS,
     "index_records(buffer, spans, cursor, verify=True, final=True, resync=False)"},
    {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
