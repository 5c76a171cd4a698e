#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* By FASTCALL, with a conversion for each argument. */
static PyObject *add(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t n) {
  if (n != 2)
    return PyErr_Format(PyExc_TypeError, "add() takes 2 arguments, not %zd", n);
  long long sum = 0;
  for (Py_ssize_t i = 0; i < 2; i++) {
    if (!PyLong_Check(args[i]))
      return PyErr_Format(PyExc_TypeError, "an int is needed, not %R", Py_TYPE(args[i]));
    long long value = PyLong_AsLongLong(args[i]);
    if (value == -1 && PyErr_Occurred())
      return NULL;
    if (__builtin_add_overflow(sum, value, &sum)) {
      PyErr_SetString(PyExc_OverflowError, "the sum does not fit into 64 bits");
      return NULL;
    }
  }
  return PyLong_FromLongLong(sum);
}

static PyMethodDef methods[] = {
    {"add", (PyCFunction)(void (*)(void))add, METH_FASTCALL, "add(a, b)"}, {NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModule_Create(&definition); }
