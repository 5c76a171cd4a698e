/* A TypeError that names the type of what was given. */
#ifndef CAPI_TYPE_ERROR_H
#define CAPI_TYPE_ERROR_H

#include <Python.h>

/* Raises TypeError: what is expected, and of what type the object is, as `type(given).__name__`. */
static inline PyObject *refuse_type(const char *expected, PyObject *given) {
  PyObject *name = PyType_GetName(Py_TYPE(given));
  if (name)
    PyErr_Format(PyExc_TypeError, "%s, not %U", expected, name);
  Py_XDECREF(name);
  return NULL;
}

#endif
