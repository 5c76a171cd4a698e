#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

static PyObject *scale(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *values;
  double factor;
  if (!PyArg_ParseTuple(args, "Od", &values, &factor))
    return NULL;
  Py_buffer view;
  if (PyObject_GetBuffer(values, &view, PyBUF_CONTIG | PyBUF_FORMAT) < 0)
    return NULL;
  if (strcmp(view.format, "d") != 0) {
    PyErr_Format(PyExc_TypeError, "values must have the format 'd', not '%s'", view.format);
    PyBuffer_Release(&view);
    return NULL;
  }
  double *items = view.buf;
  Py_ssize_t n = view.len / view.itemsize;
  for (Py_ssize_t i = 0; i < n; i++)
    items[i] *= factor;
  PyBuffer_Release(&view);
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"scale", scale, METH_VARARGS, "scale(values, factor)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
