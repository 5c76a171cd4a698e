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

typedef struct {
  Py_buffer data, spans, cursor;
  frames_cursor at;
  frames_error error;
  uint32_t options;
} Call;

static int portion(Call *call) {
  return frames_portion(call->data.buf, (size_t)call->data.len, call->spans.buf,
                        (size_t)call->spans.shape[0], call->options, &call->at, &call->error);
}

/* The GIL stays released between the portions, but for the looks. */
static int run(Call *call) {
  int more, stopped = 0;
  if (call->data.len < LEAST) {
    while ((more = portion(call)) > 0 && !(stopped = PyErr_CheckSignals()))
      ;
  } else {
    PyThreadState *state = PyEval_SaveThread();
    do {
      more = portion(call);
      PyEval_RestoreThread(state);
      stopped = PyErr_CheckSignals();
      state = PyEval_SaveThread();
    } while (more > 0 && !stopped);
    PyEval_RestoreThread(state);
  }
  if (stopped)
    return -1;
  if (call->error.code == 0)
    return 0;
  PyErr_Format(PyExc_ValueError, "record %zd at byte %zd: %s", (Py_ssize_t)call->error.record,
               (Py_ssize_t)call->error.offset, faults[call->error.code]);
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
  Call call = {.options = options};
  int failed = 1;
  if (PyObject_GetBuffer(objects[0], &call.data, PyBUF_SIMPLE) ||
      borrow_table(objects[1], "spans", &call.spans, 2, 2) ||
      borrow_table(objects[2], "cursor", &call.cursor, 1, 4))
    goto done;
  call.at = *(const frames_cursor *)call.cursor.buf;
  failed = run(&call);
  *(frames_cursor *)call.cursor.buf = call.at;
done: /* a buffer that was never acquired has no object, and releasing it does nothing */
  PyBuffer_Release(&call.data);
  PyBuffer_Release(&call.spans);
  PyBuffer_Release(&call.cursor);
  return failed ? NULL : PyLong_FromSsize_t((Py_ssize_t)call.at.rows);
}

static PyMethodDef methods[] = {
    {"index_records", (PyCFunction)(void (*)(void))index_records, METH_VARARGS | METH_KEYWORDS,
     "index_records(buffer, spans, cursor, verify=True, final=True, resync=False)"},
    {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
