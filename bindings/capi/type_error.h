/* A TypeError that names the type of the argument. */
#ifndef CAPI_TYPE_ERROR_H
#define CAPI_TYPE_ERROR_H

#include <Python.h>

/* Raise a TypeError that says what was expected and what `type(given).__name__` is. */
static inline PyObject *refuse_type(const char *expected, PyObject *given) {
  PyObject *name = PyType_GetName(Py_TYPE(given));
  if (name)
    PyErr_Format(PyExc_TypeError, "%s, not %U", expected, name);
  Py_XDECREF(name);
  return NULL;
}

#endif
