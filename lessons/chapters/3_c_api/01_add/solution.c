#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *add(PyObject *Py_UNUSED(module), PyObject *args) {
  long long a, b, sum;
  if (!PyArg_ParseTuple(args, "LL", &a, &b))
    return NULL; /* PyArg_ParseTuple has set the exception */
  if (!__builtin_add_overflow(a, b, &sum))
    return PyLong_FromLongLong(sum);
  PyErr_SetString(PyExc_OverflowError, "the sum does not fit into 64 bits");
  return NULL;
}

static PyMethodDef methods[] = {{"add", add, METH_VARARGS, "add(a, b)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
