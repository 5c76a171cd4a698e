/* Integers and bools as arguments. */
#ifndef CAPI_FLAGS_H
#define CAPI_FLAGS_H

#include <Python.h>

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

#endif
