#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "search.h"

static int step(search *search) {
  int done;
  Py_BEGIN_ALLOW_THREADS;
  done = search_run(search, 2000);
  Py_END_ALLOW_THREADS;
  return done;
}

static PyObject *smallest_factor(PyObject *Py_UNUSED(module), PyObject *object) {
  PyObject *result = NULL;
  uint64_t number = PyLong_AsUnsignedLongLong(object);
  if (number == UINT64_MAX && PyErr_Occurred())
    return NULL;
  if (number < 2) {
    PyErr_SetString(PyExc_ValueError, "2 or more");
    return NULL;
  }
  search *s = search_new(number);
  if (!s)
    return PyErr_NoMemory();
  do {
    if (PyErr_CheckSignals())
      goto done;
  } while (!step(s));
  result = PyLong_FromUnsignedLongLong(search_result(s));
done:
  search_free(s);
  return result;
}

static PyMethodDef methods[] = {
    {"smallest_factor", smallest_factor, METH_O, "smallest_factor(number)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
