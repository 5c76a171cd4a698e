#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

/* One way out, which releases. */
static PyObject *scale(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *values, *result = NULL;
  double factor;
  Py_buffer view;
  if (!PyArg_ParseTuple(args, "Od:scale", &values, &factor) ||
      PyObject_GetBuffer(values, &view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE | PyBUF_FORMAT) < 0)
    return NULL;
  if (view.itemsize == sizeof(double) && strcmp(view.format, "d") == 0) {
    for (Py_ssize_t i = 0; i < view.len / view.itemsize; i++)
      ((double *)view.buf)[i] *= factor;
    result = Py_NewRef(Py_None);
  } else {
    PyErr_SetString(PyExc_TypeError, "values must hold doubles");
  }
  PyBuffer_Release(&view);
  return result;
}

static PyMethodDef methods[] = {{"scale", scale, METH_VARARGS, "scale(values, factor)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
