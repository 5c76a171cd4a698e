#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "search.h"

enum { STEPS = 10000 };

static PyObject *smallest_factor(PyObject *Py_UNUSED(module), PyObject *object) {
  unsigned long long number = PyLong_AsUnsignedLongLong(object);
  if (number == (unsigned long long)-1 && PyErr_Occurred())
    return NULL;
  if (number < 2)
    return PyErr_Format(PyExc_ValueError, "number must be at least 2");
  search *search = search_new(number);
  if (!search)
    return PyErr_NoMemory();
  int found = 0;
  while (!found) {
    Py_BEGIN_ALLOW_THREADS;
    found = search_run(search, STEPS);
    Py_END_ALLOW_THREADS;
    if (PyErr_CheckSignals() < 0) {
      search_free(search);
      return NULL;
    }
  }
  number = search_result(search);
  search_free(search);
  return PyLong_FromUnsignedLongLong(number);
}

static PyMethodDef methods[] = {
    {"smallest_factor", smallest_factor, METH_O, "smallest_factor(number)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
