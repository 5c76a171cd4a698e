#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "search.h"

/* The GIL stays released, and is acquired for each look. */
static PyObject *smallest_factor(PyObject *Py_UNUSED(module), PyObject *object) {
  unsigned long long number = PyLong_AsUnsignedLongLong(object);
  if (PyErr_Occurred())
    return NULL;
  search *search = number >= 2 ? search_new(number) : NULL;
  if (!search)
    return number >= 2 ? PyErr_NoMemory() : PyErr_Format(PyExc_ValueError, "too small");
  int failed = 0;
  PyThreadState *state = PyEval_SaveThread();
  while (!failed && !search_run(search, 50000)) {
    PyEval_RestoreThread(state);
    failed = PyErr_CheckSignals();
    state = PyEval_SaveThread();
  }
  PyEval_RestoreThread(state);
  PyObject *result = failed ? NULL : PyLong_FromUnsignedLongLong(search_result(search));
  search_free(search);
  return result;
}

static PyMethodDef methods[] = {
    {"smallest_factor", smallest_factor, METH_O, "smallest_factor(number)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
