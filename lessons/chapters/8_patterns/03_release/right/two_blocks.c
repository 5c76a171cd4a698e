#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "digest.h"

enum { LEAST = 65536 };

static uint64_t all_of(Py_buffer *views, Py_ssize_t n) {
  uint64_t hash = DIGEST_SEED;
  for (Py_ssize_t i = 0; i < n; i++)
    hash = digest(views[i].buf, (size_t)views[i].len, hash);
  return hash;
}

static PyObject *digest_one(PyObject *Py_UNUSED(module), PyObject *data) {
  Py_buffer view;
  uint64_t hash;
  if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) < 0)
    return NULL;
  if (view.len < LEAST) {
    hash = all_of(&view, 1);
  } else {
    Py_BEGIN_ALLOW_THREADS;
    hash = all_of(&view, 1);
    Py_END_ALLOW_THREADS;
  }
  PyBuffer_Release(&view);
  return PyLong_FromUnsignedLongLong(hash);
}

static PyObject *digest_all(PyObject *Py_UNUSED(module), PyObject *list) {
  PyObject *result = NULL;
  Py_buffer *views = NULL;
  Py_ssize_t i = 0, bytes = 0;
  uint64_t hash;
  PyObject *items = PySequence_Tuple(PyList_Check(list) ? list : Py_None);
  if (!items)
    return NULL;
  Py_ssize_t n = PyTuple_GET_SIZE(items);
  if (!(views = PyMem_Calloc((size_t)n + 1, sizeof *views))) {
    PyErr_NoMemory();
    goto done;
  }
  for (i = 0; i < n; i++) {
    if (PyObject_GetBuffer(PyTuple_GET_ITEM(items, i), &views[i], PyBUF_SIMPLE))
      goto done;
    bytes += views[i].len;
  }
  if (bytes < LEAST) {
    hash = all_of(views, n);
  } else {
    Py_BEGIN_ALLOW_THREADS;
    hash = all_of(views, n);
    Py_END_ALLOW_THREADS;
  }
  result = PyLong_FromUnsignedLongLong(hash);
done:
  for (Py_ssize_t j = 0; j < i; j++)
    PyBuffer_Release(&views[j]);
  PyMem_Free(views);
  Py_DECREF(items);
  return result;
}

static PyMethodDef methods[] = {{"digest", digest_one, METH_O, "digest(data)"},
                                {"digest_all", digest_all, METH_O, "digest_all(items)"},
                                {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
