/* What extensions of the CPython C API commonly do, and pay for.
 *
 * Shows:  the same functions by the convenient ways: format strings, the abstract protocols, silent
 *         conversion, imports when they are needed.
 * Build:  module.c says it for all pages.
 * Bites:  none of it is wrong; a format is parsed anew at every call.
 */
#include "patterns.h"
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

/* ---- scalars and text -------------------------------------------------------------------- */

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

static PyObject *str_in(PyObject *Py_UNUSED(module), PyObject *text) {
  PyObject *bytes = PyUnicode_AsEncodedString(text, "utf-8", "strict");
  if (!bytes)
    return NULL;
  int64_t sum =
      ck_sum_bytes((const uint8_t *)PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes));
  Py_DECREF(bytes);
  return PyLong_FromLongLong(sum);
}

/* ---- arrays and containers --------------------------------------------------------------- */

static PyObject *array_in(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *values;
  if (!PyArg_ParseTuple(args, "O:array_in", &values))
    return NULL;
  PyArrayObject *array = (PyArrayObject *)PyArray_FROM_OTF(values, NPY_FLOAT64, NPY_ARRAY_IN_ARRAY);
  if (!array)
    return NULL;
  double sum = ck_sum_floats(PyArray_DATA(array), (size_t)PyArray_SIZE(array));
  Py_DECREF(array);
  return PyFloat_FromDouble(sum);
}

static PyObject *list_in(PyObject *Py_UNUSED(module), PyObject *values) {
  Py_ssize_t n = PySequence_Size(values);
  if (n < 0)
    return NULL;
  double sum = 0.0;
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *item = PySequence_GetItem(values, i);
    double number = item ? PyFloat_AsDouble(item) : -1.0;
    Py_XDECREF(item);
    if (FAILED(number))
      return NULL;
    sum += number;
  }
  return PyFloat_FromDouble(sum);
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

static PyObject *error_fields(PyObject *Py_UNUSED(module), PyObject *args) {
  int code;
  long long offset;
  ck_failure failure;
  if (!PyArg_ParseTuple(args, "iL:error_fields", &code, &offset))
    return NULL;
  if (ck_fail_at(code, offset, &failure) == 0)
    Py_RETURN_NONE;
  PyObject *errors = PyImport_ImportModule("bindings.errors");
  PyObject *type = errors ? PyObject_GetAttrString(errors, "PatternError") : NULL;
  PyObject *fields = type ? Py_BuildValue("(iL)", failure.code, (long long)failure.offset) : NULL;
  if (fields)
    PyErr_SetObject(type, fields);
  Py_XDECREF(fields);
  Py_XDECREF(type);
  Py_XDECREF(errors);
  return NULL;
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    METHOD(add_int, METH_VARARGS, "(a, b, /)",
           "METH_VARARGS and PyArg_ParseTuple cost a tuple and the reading of a format."),
    METHOD(keywords, METH_VARARGS | METH_KEYWORDS, "(x, *, scale=1.0, offset=0.0)",
           "PyArg_ParseTupleAndKeywords costs a tuple, a dict and a look-up of every name."),
    METHOD(str_in, METH_O, "(text, /)",
           "PyUnicode_AsEncodedString costs a bytes object and a copy."),
    METHOD(array_in, METH_VARARGS, "(values, /)",
           "PyArray_FROM_OTF takes anything, and copies what does not fit without a word."),
    METHOD(list_in, METH_O, "(values, /)",
           "PySequence_GetItem takes any sequence, and costs two calls and a check an item."),
    METHOD(tuple_out, METH_VARARGS, "(a, b, /)",
           "Py_BuildValue costs the reading of a format, twice."),
    METHOD(callback, METH_VARARGS, "(function, x, /)",
           "PyObject_CallFunction costs the reading of a format at every call back."),
    METHOD(error_fields, METH_VARARGS, "(code, offset, /)",
           "Importing the exception where it is raised costs two look-ups a failure."),
    {NULL, NULL, 0, NULL}};

int add_naive(PyObject *module) {
  PyObject *naive =
      PyArray_ImportNumPyAPI() < 0 ? NULL : PyModule_New("bindings.capi.patterns.naive");
  int status = naive && PyModule_AddFunctions(naive, methods) == 0
                   ? PyModule_AddObjectRef(module, "naive", naive)
                   : -1;
  Py_XDECREF(naive);
  return status;
}
