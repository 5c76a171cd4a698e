/* The cost ledger through the CPython C API: calling back, and failing.
 *
 * Shows:  a C callback that calls a Python function; an error code turned into an exception.
 * Bites:  a C library cannot carry a Python exception: keep it set, return anything from the
 *         callback, and look for it when the library has returned.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "probes.h"

/* Called by the kernel. On failure the exception stays set for `callback` below to find. */
static double call_python(double x, void *function) {
  PyObject *argument = PyFloat_FromDouble(x);
  PyObject *result = argument ? PyObject_CallOneArg(function, argument) : NULL;
  double value = result ? PyFloat_AsDouble(result) : -1.0;
  Py_XDECREF(argument);
  Py_XDECREF(result);
  return value;
}

static PyObject *callback(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  if (nargs != 2)
    return PyErr_Format(PyExc_TypeError, "callback() takes 2 arguments but %zd were given", nargs);
  double x = PyFloat_AsDouble(args[1]);
  if (FAILED(x))
    return NULL;
  double result = ck_call(call_python, args[0], x);
  return PyErr_Occurred() ? NULL : PyFloat_FromDouble(result);
}

static PyObject *error(PyObject *Py_UNUSED(module), PyObject *number) {
  long code = PyLong_AsLong(number);
  if (FAILED(code))
    return NULL;
  if (code != (int)code)
    return PyErr_Format(PyExc_OverflowError, "%ld does not fit a C int", code);
  int status = ck_fail((int)code);
  if (status != 0)
    return PyErr_Format(PyExc_ValueError, "native call failed with code %d", status);
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"callback", (PyCFunction)(void (*)(void))callback, METH_FASTCALL,
     "callback(function, x, /)\n--\n\nfunction(x) + 1."},
    {"error", error, METH_O, "error(code, /)\n--\n\nRaises ValueError unless code is 0."},
    {NULL, NULL, 0, NULL}};

int add_call_probes(PyObject *module) { return PyModule_AddFunctions(module, methods); }
