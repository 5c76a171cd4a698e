/* Arguments by position and by keyword; integers and bools as arguments. */
#pragma once

#include <Python.h>

/* Sort the arguments of a METH_FASTCALL | METH_KEYWORDS function into `values` (borrowed; an
 * argument that is not given keeps its default). The first `required` names must be given; the
 * names from `positional` on are keyword-only. */
static inline int parse_arguments(const char *function, const char *const *names,
                                  Py_ssize_t required, Py_ssize_t positional, Py_ssize_t total,
                                  PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                                  PyObject **values) {
  if (nargs > positional) {
    PyErr_Format(PyExc_TypeError, "%s() takes %zd positional arguments but %zd were given",
                 function, positional, nargs);
    return -1;
  }
  for (Py_ssize_t i = 0; i < nargs; i++)
    values[i] = args[i];
  for (Py_ssize_t k = 0; kwnames && k < PyTuple_GET_SIZE(kwnames); k++) {
    PyObject *name = PyTuple_GET_ITEM(kwnames, k);
    Py_ssize_t i = 0;
    while (i < total && PyUnicode_CompareWithASCIIString(name, names[i]) != 0)
      i++;
    if (i == total || i < nargs) {
      PyErr_Format(PyExc_TypeError,
                   i == total ? "%s() got an unexpected keyword argument '%U'"
                              : "%s() got multiple values for argument '%U'",
                   function, name);
      return -1;
    }
    values[i] = args[nargs + k];
  }
  for (Py_ssize_t i = nargs; i < required; i++) {
    if (!values[i]) {
      PyErr_Format(PyExc_TypeError, "%s() is missing its argument '%s'", function, names[i]);
      return -1;
    }
  }
  return 0;
}

static inline int parse_int64(PyObject *object, int64_t *value) {
  *value = PyLong_AsLongLong(object);
  return *value == -1 && PyErr_Occurred() ? -1 : 0;
}

/* Set or clear `n` consecutive bits, of which `bit` is the first, according to `n` bools. A value
 * of NULL leaves its bit as it is. Return -1 with an exception set if a value is not a bool. */
static inline int parse_flags(PyObject *const *values, const char *const *names, int n,
                              uint32_t bit, uint32_t *options) {
  for (int i = 0; i < n; i++, bit <<= 1) {
    if (values[i] == Py_True)
      *options |= bit;
    else if (values[i] == Py_False)
      *options &= ~bit;
    else if (values[i]) {
      PyErr_Format(PyExc_TypeError, "%s must be a bool, not %s", names[i],
                   Py_TYPE(values[i])->tp_name);
      return -1;
    }
  }
  return 0;
}
