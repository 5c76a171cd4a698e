/* The idioms of the CPython C API's tutorial; the other pages do as CPython's own modules do.
 *
 * Shows:  arguments by format strings, results by Py_BuildValue, any sequence by the abstract
 *         protocol, any array by conversion.
 * Build:  see module.c, for all pages.
 * Bites:  a format is parsed at every call, and nothing checks it against the variables: use "L"
 *         with a long long and "n" with a Py_ssize_t.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include "../module.h"
#include "cookbook.h"
#include "lock.h"
#include "numbers.h"

/* ---- scalars --------------------------------------------------------------------------- */

static PyObject *add_int(PyObject *Py_UNUSED(module), PyObject *args) {
  long long a, b;
  if (!PyArg_ParseTuple(args, "LL:add_int", &a, &b))
    return NULL;
  return Py_BuildValue("L", (long long)ck_add_int(a, b));
}

static PyObject *keywords(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwargs) {
  static char *names[] = {"x", "scale", "offset", NULL};
  double x, scale = 1.0, offset = 0.0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "d|$dd:keywords", names, &x, &scale, &offset))
    return NULL;
  return Py_BuildValue("d", ck_keywords(x, scale, offset));
}

/* ---- arrays and containers --------------------------------------------------------------- */

static PyObject *array_in(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *values;
  if (!PyArg_ParseTuple(args, "O:array_in", &values))
    return NULL;
  if (values == Py_None) /* NumPy makes a NaN of it */
    return PyErr_Format(PyExc_TypeError, "values must be an array, not None");
  PyArrayObject *array = (PyArrayObject *)PyArray_FROM_OTF(values, NPY_FLOAT64, NPY_ARRAY_IN_ARRAY);
  if (!array)
    return NULL;
  double sum = ck_sum_floats(PyArray_DATA(array), (size_t)PyArray_SIZE(array));
  Py_DECREF(array);
  return PyFloat_FromDouble(sum);
}

static int sum_items(PyObject *values, double *sum) {
  Py_ssize_t n = PySequence_Size(values);
  *sum = 0.0;
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *item = PySequence_GetItem(values, i);
    double number = item ? PyFloat_AsDouble(item) : -1.0;
    Py_XDECREF(item);
    if (FAILED(number))
      return -1;
    *sum += number;
  }
  return n < 0 ? -1 : 0;
}

static PyObject *list_in(PyObject *Py_UNUSED(module), PyObject *values) {
  double sum;
  int status;
  Py_BEGIN_CRITICAL_SECTION(values);
  status = sum_items(values, &sum);
  Py_END_CRITICAL_SECTION();
  return status < 0 ? NULL : PyFloat_FromDouble(sum);
}

static PyObject *tuple_out(PyObject *Py_UNUSED(module), PyObject *args) {
  long long a, b;
  if (!PyArg_ParseTuple(args, "LL:tuple_out", &a, &b))
    return NULL;
  int64_t smaller, larger;
  ck_order(a, b, &smaller, &larger);
  return Py_BuildValue("(LL)", (long long)smaller, (long long)larger);
}

/* ---- calls ------------------------------------------------------------------------------- */

static double call_python(double x, void *function) {
  if (PyErr_Occurred()) /* raised by an earlier call of the same library function */
    return -1.0;
  PyObject *result = PyObject_CallFunction(function, "d", x);
  double value = result ? PyFloat_AsDouble(result) : -1.0;
  Py_XDECREF(result);
  return value;
}

static PyObject *callback(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *function;
  double x;
  if (!PyArg_ParseTuple(args, "Od:callback", &function, &x))
    return NULL;
  double result = ck_call(call_python, function, x);
  return PyErr_Occurred() ? NULL : Py_BuildValue("d", result);
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    METHOD(add_int, METH_VARARGS, "(a, b, /)",
           "PyArg_ParseTuple costs a tuple and the parsing of a format."),
    METHOD(keywords, METH_VARARGS | METH_KEYWORDS, "(x, *, scale=1.0, offset=0.0)",
           "PyArg_ParseTupleAndKeywords costs a tuple, a dict and a look-up of every name."),
    METHOD(array_in, METH_VARARGS, "(values, /)",
           "PyArray_FROM_OTF converts any object but None to a float64 array, of any dimensions."),
    METHOD(list_in, METH_O, "(values, /)",
           "PySequence_GetItem takes any sequence, and costs two calls and a check for each item."),
    METHOD(tuple_out, METH_VARARGS, "(a, b, /)",
           "PyArg_ParseTuple and Py_BuildValue parse a format each."),
    METHOD(callback, METH_VARARGS, "(function, x, /)",
           "PyObject_CallFunction parses a format at every call back."),
    {NULL, NULL, 0, NULL}};

int add_idiomatic(PyObject *module) {
  if (PyArray_ImportNumPyAPI() < 0)
    return -1;
  PyObject *idiomatic = /* borrowed from sys.modules, where pickle looks for it */
      PyImport_AddModule("ffi_cookbook.bindings.capi.patterns.idiomatic");
  if (!idiomatic || PyModule_AddFunctions(idiomatic, methods) < 0)
    return -1;
  return PyModule_AddObjectRef(module, "idiomatic", idiomatic);
}
