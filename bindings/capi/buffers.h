/* Borrowing memory through the buffer protocol. */
#pragma once

#include <Python.h>

#include "cookbook.h"
#include "errors.h"

/* Borrow a C-contiguous buffer. Return -1 with an exception set if that fails. The view may be
 * released in either case, and also when it is all zero. */
static inline int borrow(PyObject *object, const char *name, Py_buffer *view) {
  if (PyObject_GetBuffer(object, view, PyBUF_SIMPLE) == 0)
    return 0;
  if (PyErr_ExceptionMatches(PyExc_BufferError)) {
    PyObject *reason = get_raised();
    PyErr_Format(PyExc_ValueError, "%s must be a C-contiguous buffer (%S)", name, reason);
    Py_DECREF(reason);
  }
  view->obj = NULL;
  return -1;
}

static inline ck_bytes bytes_of(const Py_buffer *view) {
  return (ck_bytes){view->buf, (size_t)view->len};
}
