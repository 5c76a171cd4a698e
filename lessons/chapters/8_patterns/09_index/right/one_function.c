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

/* Borrow a writable, contiguous array of int64 of that shape; any length will do where it is 0. */
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
  Py_buffer views[3];
  int borrowed = 0, failed = -1;
  frames_cursor cursor = {0};
  if (PyObject_GetBuffer(objects[0], &views[0], PyBUF_SIMPLE) == 0) {
    borrowed = 1;
    if (borrow_table(objects[1], "spans", &views[1], 2, 2) == 0) {
      borrowed = 2;
      if (borrow_table(objects[2], "cursor", &views[2], 1, 4) == 0)
        borrowed = 3;
    }
  }
  if (borrowed == 3) {
    int more, long_work = views[0].len >= LEAST, interrupted = 0;
    frames_error error = {0};
    memcpy(&cursor, views[2].buf, sizeof cursor);
    do {
      if (long_work) {
        Py_BEGIN_ALLOW_THREADS;
        more = frames_portion(views[0].buf, (size_t)views[0].len, views[1].buf,
                              (size_t)views[1].shape[0], options, &cursor, &error);
        Py_END_ALLOW_THREADS;
      } else {
        more = frames_portion(views[0].buf, (size_t)views[0].len, views[1].buf,
                              (size_t)views[1].shape[0], options, &cursor, &error);
      }
      interrupted = PyErr_CheckSignals();
    } while (more == 1 && !interrupted);
    memcpy(views[2].buf, &cursor, sizeof cursor);
    if (!interrupted && more < 0)
      PyErr_Format(PyExc_ValueError, "record %lld at byte %lld: %s", (long long)error.record,
                   (long long)error.offset, faults[error.code]);
    else
      failed = interrupted;
  }
  while (borrowed)
    PyBuffer_Release(&views[--borrowed]);
  return failed ? NULL : PyLong_FromLongLong(cursor.rows);
}

static PyMethodDef methods[] = {
    {"index_records", (PyCFunction)(void (*)(void))index_records, METH_VARARGS | METH_KEYWORDS,
     "index_records(buffer, spans, cursor, verify=True, final=True, resync=False)"},
    {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
