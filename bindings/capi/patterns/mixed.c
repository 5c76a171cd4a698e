/* Several kinds of argument at once, through the CPython C API.
 *
 * Shows:  the pieces of the other pages, put together.
 * Build:  see module.c, for all pages.
 * Bites: converting a number can run Python code, which can do anything to an array: convert
 *         numbers first and borrow arrays last.
 */
#include "../module.h"
#include "cookbook.h"
#include "floats.h"
#include "numbers.h"

/* ---- scalars and text -------------------------------------------------------------------- */

static PyObject *add_three(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  long long a, b, c;
  if (check_count("add_three", nargs, 3) < 0 || FAILED(a = PyLong_AsLongLong(args[0])) ||
      FAILED(b = PyLong_AsLongLong(args[1])) || FAILED(c = PyLong_AsLongLong(args[2])))
    return NULL;
  return PyLong_FromLongLong(ck_add_three(a, b, c));
}

static PyObject *score(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  const char *text;
  Py_ssize_t size;
  long long n;
  double x;
  if (check_count("score", nargs, 3) < 0 || !(text = PyUnicode_AsUTF8AndSize(args[0], &size)) ||
      FAILED(n = PyLong_AsLongLong(args[1])) || FAILED(x = as_double(args[2])))
    return NULL;
  return PyFloat_FromDouble(ck_score((const uint8_t *)text, (size_t)size, n, x));
}

static PyObject *stamp(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  long mark;
  if (check_count("stamp", nargs, 2) < 0 || FAILED(mark = PyLong_AsLong(args[1])))
    return NULL;
  if (!PyBytes_Check(args[0]))
    return PyErr_Format(PyExc_TypeError, "expected bytes, not %s", Py_TYPE(args[0])->tp_name);
  if (mark < 0 || mark > 255)
    return PyErr_Format(PyExc_ValueError, "%ld is not a byte", mark);
  Py_ssize_t size = PyBytes_GET_SIZE(args[0]);
  PyObject *stamped = PyBytes_FromStringAndSize(NULL, size); /* to be filled before it is seen */
  if (stamped)
    ck_stamp((const uint8_t *)PyBytes_AS_STRING(args[0]), (size_t)size, (uint8_t)mark,
             (uint8_t *)PyBytes_AS_STRING(stamped));
  return stamped;
}

/* ---- arrays ------------------------------------------------------------------------------ */

static PyObject *scaled(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  double factor;
  PyArrayObject *values;
  if (check_count("scaled", nargs, 2) < 0 || FAILED(factor = as_double(args[1])) ||
      !(values = as_floats(args[0], NPY_ARRAY_CARRAY_RO)))
    return NULL;
  npy_intp n = PyArray_DIM(values, 0);
  PyArrayObject *out = new_floats(n);
  if (out)
    ck_scaled(PyArray_DATA(values), (size_t)n, factor, PyArray_DATA(out));
  return (PyObject *)out;
}

static PyObject *shifted(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  long long shift;
  const char *text;
  Py_ssize_t size;
  PyArrayObject *values;
  if (check_count("shifted", nargs, 3) < 0 || FAILED(shift = PyLong_AsLongLong(args[1])) ||
      !(text = PyUnicode_AsUTF8AndSize(args[2], &size)) ||
      !(values = as_floats(args[0], NPY_ARRAY_CARRAY_RO)))
    return NULL;
  npy_intp n = PyArray_DIM(values, 0);
  PyArrayObject *out = new_floats(n);
  if (out)
    ck_shifted(PyArray_DATA(values), (size_t)n, shift, (const uint8_t *)text, (size_t)size,
               PyArray_DATA(out));
  return (PyObject *)out;
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    METHOD(add_three, METH_FASTCALL, "(a, b, c, /)", "Return a + b + c modulo 2**64."),
    METHOD(score, METH_FASTCALL, "(text, n, x, /)",
           "Return the sum of the UTF-8 bytes of a text, plus n, plus x."),
    METHOD(stamp, METH_FASTCALL, "(data, mark, /)", "Return new bytes, each XORed with mark."),
    METHOD(scaled, METH_FASTCALL, "(values, factor, /)", "Return a new array, values * factor."),
    METHOD(shifted, METH_FASTCALL, "(values, n, text, /)",
           "Return a new array, values + n + the sum of the text's bytes."),
    {NULL, NULL, 0, NULL}};

int add_mixed(PyObject *module) {
  return PyArray_ImportNumPyAPI() < 0 ? -1 : PyModule_AddFunctions(module, methods);
}
