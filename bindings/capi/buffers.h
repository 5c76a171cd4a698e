/* Borrowing memory through the buffer protocol: several views at once, all given back together. */
#ifndef CAPI_BUFFERS_H
#define CAPI_BUFFERS_H

#include <Python.h>
#include <string.h>

enum { MAX_VIEWS = 5 };

typedef struct {
  Py_buffer views[MAX_VIEWS];
  int count;
} Views;

/* Gives all views back. Always returns NULL, for the error paths. */
static inline PyObject *release(Views *views) {
  while (views->count)
    PyBuffer_Release(&views->views[--views->count]);
  return NULL;
}

/* Borrows a contiguous buffer into the next view. PyBUF_WRITABLE: read-only memory is a ValueError.
 */
static inline Py_buffer *take(Views *views, PyObject *object, int flags) {
  Py_buffer *view = &views->views[views->count];
  if (PyObject_GetBuffer(object, view, (flags & ~PyBUF_WRITABLE) | PyBUF_STRIDES) < 0) {
    if (PyErr_ExceptionMatches(PyExc_BufferError))
      PyErr_SetString(PyExc_ValueError, "expected a C-contiguous buffer");
    return NULL;
  }
  views->count++;
  if (!PyBuffer_IsContiguous(view, 'C'))
    PyErr_SetString(PyExc_ValueError, "expected a C-contiguous buffer");
  else if ((flags & PyBUF_WRITABLE) && view->readonly)
    PyErr_SetString(PyExc_ValueError, "expected a writable buffer");
  else
    return view;
  return NULL;
}

/* Borrows an int64 array of shape (columns,) when `rows` is NULL, else (*rows, columns). */
static inline void *take_int64(Views *views, PyObject *object, const char *name, int writable,
                               Py_ssize_t columns, Py_ssize_t *rows) {
  Py_buffer *view = take(views, object, PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0));
  if (!view)
    return NULL;
  int ndim = rows ? 2 : 1;
  const char *format = view->format ? view->format : "B";
  if (view->itemsize != 8 || (strcmp(format, "l") != 0 && strcmp(format, "q") != 0)) {
    PyErr_Format(PyExc_TypeError, "%s must be an int64 array", name);
    return NULL;
  }
  if (view->ndim != ndim || view->shape[ndim - 1] != columns || (uintptr_t)view->buf % 8) {
    PyErr_Format(PyExc_ValueError, "%s must be aligned, with rows of %zd int64", name, columns);
    return NULL;
  }
  if (rows)
    *rows = view->shape[0];
  return view->buf;
}

/* Borrows a 1-D uint32 array of *n elements. */
static inline uint32_t *take_uint32(Views *views, PyObject *object, int writable, Py_ssize_t *n) {
  Py_buffer *view = take(views, object, PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0));
  if (!view)
    return NULL;
  if (view->itemsize != 4 || !view->format || strcmp(view->format, "I") != 0) {
    PyErr_SetString(PyExc_TypeError, "ids must be a uint32 array");
    return NULL;
  }
  if (view->ndim != 1 || (uintptr_t)view->buf % 4) {
    PyErr_SetString(PyExc_ValueError, "ids must be one-dimensional and aligned");
    return NULL;
  }
  *n = view->shape[0];
  return view->buf;
}

#endif
