#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

/* Everything is asked for, and what is not contiguous is refused here. */
static PyObject *scale(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *values;
  double factor;
  if (!PyArg_ParseTuple(args, "Od", &values, &factor))
    return NULL;
  Py_buffer view;
  if (PyObject_GetBuffer(values, &view, PyBUF_FULL) < 0)
    return NULL;
  if (strcmp(view.format, "d") != 0)
    PyErr_SetString(PyExc_TypeError, "values must have the format 'd'");
  else if (!PyBuffer_IsContiguous(&view, 'C'))
    PyErr_SetString(PyExc_BufferError, "values must be C-contiguous");
  else
    for (char *at = view.buf, *end = at + view.len; at < end; at += sizeof(double))
      *(double *)at *= factor;
  PyBuffer_Release(&view);
  if (PyErr_Occurred())
    return NULL;
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"scale", scale, METH_VARARGS, "scale(values, factor)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
