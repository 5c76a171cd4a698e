#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "search.h"

/* A handler is asked for after every tenth portion only. */
static PyObject *smallest_factor(PyObject *Py_UNUSED(module), PyObject *object) {
  unsigned long long number = PyLong_AsUnsignedLongLong(object);
  if (number == (unsigned long long)-1 && PyErr_Occurred())
    return NULL;
  if (number < 2)
    return PyErr_Format(PyExc_ValueError, "number must be at least 2, not %llu", number);
  search *search = search_new(number);
  if (!search)
    return PyErr_NoMemory();
  for (int found = 0; !found;) {
    Py_BEGIN_ALLOW_THREADS;
    for (int i = 0; i < 10 && !found; i++)
      found = search_run(search, 9000);
    Py_END_ALLOW_THREADS;
    if (!found && PyErr_CheckSignals() == -1) {
      search_free(search);
      return NULL;
    }
  }
  PyObject *result = PyLong_FromUnsignedLongLong(search_result(search));
  search_free(search);
  return result;
}

static PyMethodDef methods[] = {
    {"smallest_factor", smallest_factor, METH_O, "smallest_factor(number)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
