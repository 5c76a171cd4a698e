#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <limits.h>

/* The test for overflow in plain C, before the addition. */
static PyObject *add(PyObject *Py_UNUSED(module), PyObject *args) {
  long long a, b;
  if (!PyArg_ParseTuple(args, "LL:add", &a, &b))
    return NULL;
  if (b > 0 ? a > LLONG_MAX - b : a < LLONG_MIN - b)
    return PyErr_Format(PyExc_OverflowError, "%lld + %lld does not fit into 64 bits", a, b);
  return Py_BuildValue("L", a + b);
}

static PyMethodDef methods[] = {{"add", add, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "exercise", .m_methods = methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
