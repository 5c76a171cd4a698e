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
  (void)options;
  (void)faults;
  /* TODO */
  return PyErr_Format(PyExc_NotImplementedError, "%d", LEAST);
}

static PyMethodDef methods[] = {
    {"index_records", (PyCFunction)(void (*)(void))index_records, METH_VARARGS | METH_KEYWORDS,
     "index_records(buffer, spans, cursor, verify=True, final=True, resync=False)"},
    {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
