#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

/* A memoryview owns the buffer, and releases it when it goes. */
static PyObject *scale(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *values;
  double factor;
  if (!PyArg_ParseTuple(args, "Od", &values, &factor))
    return NULL;
  PyObject *memory = PyMemoryView_GetContiguous(values, PyBUF_WRITE, 'C');
  if (!memory)
    return NULL;
  Py_buffer *view = PyMemoryView_GET_BUFFER(memory);
  if (!view->format || strcmp(view->format, "d") != 0) {
    Py_DECREF(memory);
    return PyErr_Format(PyExc_TypeError, "values must hold doubles");
  }
  double *end = (double *)view->buf + view->len / sizeof(double);
  for (double *item = view->buf; item < end; item++)
    *item *= factor;
  Py_DECREF(memory);
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"scale", scale, METH_VARARGS, "scale(values, factor)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
