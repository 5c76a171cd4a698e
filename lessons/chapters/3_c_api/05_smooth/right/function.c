#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "smooth.h"
#include <string.h>

static int smooth_without_gil(double *values, Py_ssize_t n) {
  int failed;
  Py_BEGIN_ALLOW_THREADS;
  failed = smooth_values(values, (size_t)n);
  Py_END_ALLOW_THREADS;
  return failed;
}

static PyObject *smooth(PyObject *Py_UNUSED(module), PyObject *values) {
  Py_buffer view;
  if (PyObject_GetBuffer(values, &view, PyBUF_CONTIG | PyBUF_FORMAT) < 0)
    return NULL;
  if (strcmp(view.format, "d") != 0) {
    PyBuffer_Release(&view);
    return PyErr_Format(PyExc_TypeError, "values must hold doubles");
  }
  int failed = smooth_without_gil(view.buf, view.len / view.itemsize);
  PyBuffer_Release(&view);
  if (!failed)
    Py_RETURN_NONE;
  PyErr_SetString(PyExc_ValueError, "values must be finite");
  return NULL;
}

static PyMethodDef methods[] = {{"smooth", smooth, METH_O, "smooth(values)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
