/* Integers and bools as arguments. */
#ifndef CAPI_FLAGS_H
#define CAPI_FLAGS_H

#include <Python.h>

static inline int parse_int64(PyObject *object, int64_t *value) {
  *value = PyLong_AsLongLong(object);
  return *value == -1 && PyErr_Occurred() ? -1 : 0;
}

/* Return an int whose bit i is the bool values[i], or bit i of `preset` if values[i] is NULL.
 * Return -1 with an exception set if a value is not a bool. */
static inline int flags_from(PyObject *const *values, const char *const *names, int n, int preset) {
  for (int i = 0; i < n; i++) {
    if (values[i] == Py_True)
      preset |= 1 << i;
    else if (values[i] == Py_False)
      preset &= ~(1 << i);
    else if (values[i]) {
      PyErr_Format(PyExc_TypeError, "%s must be a bool, not %s", names[i],
                   Py_TYPE(values[i])->tp_name);
      return -1;
    }
  }
  return preset;
}

#endif
