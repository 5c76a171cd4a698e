/* The number of threads as an argument. */
#ifndef CAPI_THREADS_H
#define CAPI_THREADS_H

#include <Python.h>

#include "cookbook.h"

static inline int parse_threads(PyObject *object, int *threads) {
  int overflow; /* 1: more than a long holds, -1: less */
  long value = PyLong_AsLongAndOverflow(object, &overflow);
  if (value == -1 && PyErr_Occurred())
    return -1;
  if (value < 1 && overflow <= 0) {
    PyErr_Format(PyExc_ValueError, "threads must be at least 1, not %S", object);
    return -1;
  }
  *threads = overflow || value > CK_MAX_THREADS ? CK_MAX_THREADS : (int)value;
  return 0;
}

#endif
