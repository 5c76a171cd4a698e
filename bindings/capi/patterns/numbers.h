/* Numbers as arguments. */
#pragma once

#include <Python.h>

/* True if `value` is the error value and an exception is set. */
#define FAILED(value) ((value) == -1 && PyErr_Occurred())

static inline int check_count(const char *function, Py_ssize_t nargs, Py_ssize_t wanted) {
  if (nargs == wanted)
    return 0;
  PyErr_Format(PyExc_TypeError, "%s() takes %zd arguments but %zd were given", function, wanted,
               nargs);
  return -1;
}

/* PyFloat_AsDouble, without a call if the object is exactly a float. */
static inline double as_double(PyObject *number) {
  return PyFloat_CheckExact(number) ? PyFloat_AS_DOUBLE(number) : PyFloat_AsDouble(number);
}
