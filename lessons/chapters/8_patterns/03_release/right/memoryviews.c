#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "digest.h"

enum { LEAST = 65536 };

/* Memoryviews own the buffers, and a list of them owns the memoryviews. */
static PyObject *hashed(PyObject *views) {
  Py_ssize_t n = PyList_GET_SIZE(views), bytes = 0;
  const Py_buffer **buffers = PyMem_RawMalloc((size_t)(n + 1) * sizeof *buffers);
  if (!buffers)
    return PyErr_NoMemory();
  for (Py_ssize_t i = 0; i < n; i++) {
    buffers[i] = PyMemoryView_GET_BUFFER(PyList_GET_ITEM(views, i));
    bytes += buffers[i]->len;
  }
  PyThreadState *state = NULL;
  if (bytes >= LEAST)
    state = PyEval_SaveThread();
  uint64_t hash = DIGEST_SEED;
  for (Py_ssize_t i = 0; i < n; i++)
    hash = digest(buffers[i]->buf, (size_t)buffers[i]->len, hash);
  PyMem_RawFree(buffers);
  if (state)
    PyEval_RestoreThread(state);
  return PyLong_FromUnsignedLongLong(hash);
}

static int add_view(PyObject *views, PyObject *item) {
  PyObject *view = PyMemoryView_FromObject(item);
  if (!view)
    return -1;
  int failed = PyList_Append(views, view);
  Py_DECREF(view);
  return failed;
}

static PyObject *digest_one(PyObject *Py_UNUSED(module), PyObject *data) {
  PyObject *views = PyList_New(0), *result = NULL;
  if (views && add_view(views, data) == 0)
    result = hashed(views);
  Py_XDECREF(views);
  return result;
}

static PyObject *digest_all(PyObject *Py_UNUSED(module), PyObject *items) {
  if (!PyList_Check(items))
    return PyErr_Format(PyExc_TypeError, "a list");
  PyObject *views = PyList_New(0);
  if (!views)
    return NULL;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items); i++) {
    PyObject *item = Py_NewRef(PyList_GET_ITEM(items, i));
    int failed = add_view(views, item);
    Py_DECREF(item);
    if (failed) {
      Py_DECREF(views);
      return NULL;
    }
  }
  PyObject *result = hashed(views);
  Py_DECREF(views);
  return result;
}

static PyMethodDef methods[] = {{"digest", digest_one, METH_O, "digest(data)"},
                                {"digest_all", digest_all, METH_O, "digest_all(items)"},
                                {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
