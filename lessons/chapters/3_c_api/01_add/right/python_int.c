#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* Python adds; what is left is to refuse a sum that does not fit. */
static PyObject *add(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *a, *b;
  if (!PyArg_ParseTuple(args, "O!O!", &PyLong_Type, &a, &PyLong_Type, &b))
    return NULL;
  PyObject *sum = PyNumber_Add(a, b);
  if (!sum)
    return NULL;
  if (PyLong_AsLongLong(sum) == -1 && PyErr_Occurred()) {
    Py_DECREF(sum);
    return NULL;
  }
  return sum;
}

static PyMethodDef methods[] = {{"add", add, METH_VARARGS, NULL}, {NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, -1, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModule_Create(&definition); }
