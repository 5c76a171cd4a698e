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

/* The memoryviews own what is borrowed, and check a part of it. */
static PyObject *table_of(PyObject *object, Py_ssize_t ndim, Py_ssize_t columns) {
  PyObject *view = PyMemoryView_GetContiguous(object, PyBUF_WRITE, 'C');
  if (!view) {
    if (PyErr_ExceptionMatches(PyExc_BufferError)) {
      PyErr_Clear();
      PyErr_SetString(PyExc_ValueError, "an array must be C-contiguous and writable");
    }
    return NULL;
  }
  const Py_buffer *buffer = PyMemoryView_GET_BUFFER(view);
  if (strcmp(buffer->format, "l") != 0 && strcmp(buffer->format, "q") != 0)
    PyErr_SetString(PyExc_TypeError, "an array must hold int64");
  else if (buffer->ndim != ndim || buffer->shape[ndim - 1] != columns)
    PyErr_Format(PyExc_ValueError, "an array must have %zd columns", columns);
  else
    return view;
  Py_DECREF(view);
  return NULL;
}

static int step(const Py_buffer *data, const Py_buffer *spans, uint32_t options,
                frames_cursor *cursor, frames_error *error) {
  PyThreadState *state = NULL;
  if (data->len >= LEAST)
    state = PyEval_SaveThread();
  int more = frames_portion(data->buf, (size_t)data->len, spans->buf, (size_t)spans->shape[0],
                            options, cursor, error);
  if (state)
    PyEval_RestoreThread(state);
  return more;
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
  PyObject *result = NULL, *table = NULL, *state = NULL;
  Py_buffer data;
  if (PyObject_GetBuffer(objects[0], &data, PyBUF_C_CONTIGUOUS) < 0)
    return NULL;
  if (!(table = table_of(objects[1], 2, 2)) || !(state = table_of(objects[2], 1, 4)))
    goto done;
  frames_cursor cursor;
  frames_error error = {0};
  void *place = PyMemoryView_GET_BUFFER(state)->buf;
  memcpy(&cursor, place, sizeof cursor);
  int more = 1, stopped = 0;
  while (more > 0 && !stopped) {
    more = step(&data, PyMemoryView_GET_BUFFER(table), options, &cursor, &error);
    stopped = PyErr_CheckSignals();
  }
  memcpy(place, &cursor, sizeof cursor);
  if (stopped)
    goto done;
  if (error.code)
    PyErr_Format(PyExc_ValueError, "record %lld at byte %lld: %s", (long long)error.record,
                 (long long)error.offset, faults[error.code]);
  else
    result = PyLong_FromLongLong(cursor.rows);
done:
  Py_XDECREF(table);
  Py_XDECREF(state);
  PyBuffer_Release(&data);
  return result;
}

static PyMethodDef methods[] = {
    {"index_records", (PyCFunction)(void (*)(void))index_records, METH_VARARGS | METH_KEYWORDS,
     "index_records(buffer, spans, cursor, verify=True, final=True, resync=False)"},
    {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
