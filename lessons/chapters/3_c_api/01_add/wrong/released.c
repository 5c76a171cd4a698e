#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* What PyArg_ParseTuple gives for "O" is borrowed: the two Py_DECREF are wrong. */
static PyObject *add(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *a, *b;
  if (!PyArg_ParseTuple(args, "O!O!", &PyLong_Type, &a, &PyLong_Type, &b))
    return NULL;
  PyObject *sum = PyNumber_Add(a, b);
  Py_DECREF(a);
  Py_DECREF(b);
  if (sum && PyLong_AsLongLong(sum) == -1 && PyErr_Occurred())
    Py_CLEAR(sum);
  return sum;
}

static PyMethodDef methods[] = {{"add", add, METH_VARARGS, "add(a, b)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
