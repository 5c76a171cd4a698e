/* Borrowing memory through the buffer protocol: several views at once, all released together. */
#ifndef CAPI_BUFFERS_H
#define CAPI_BUFFERS_H

#include <Python.h>

#include "cookbook.h"

enum { MAX_VIEWS = 2 };

typedef struct {
  Py_buffer views[MAX_VIEWS];
  int count;
} Views;

/* Release all views. Always return NULL, for the error paths. */
static inline PyObject *release(Views *views) {
  while (views->count)
    PyBuffer_Release(&views->views[--views->count]);
  return NULL;
}

/* Borrow a C-contiguous buffer into the next view. */
static inline Py_buffer *take(Views *views, PyObject *object, const char *name) {
  Py_buffer *view = &views->views[views->count];
  if (PyObject_GetBuffer(object, view, PyBUF_SIMPLE) == 0)
    return &views->views[views->count++];
  if (PyErr_ExceptionMatches(PyExc_BufferError)) {
    PyObject *type, *reason, *traceback;
    PyErr_Fetch(&type, &reason, &traceback);
    PyErr_Format(PyExc_ValueError, "%s must be a C-contiguous buffer (%S)", name, reason);
    Py_XDECREF(type);
    Py_XDECREF(reason);
    Py_XDECREF(traceback);
  }
  return NULL;
}

static inline ck_bytes bytes_of(const Py_buffer *view) {
  return (ck_bytes){view->buf, (size_t)view->len};
}

#endif
