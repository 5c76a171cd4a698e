/* Borrowing memory through the buffer protocol: several views at once, all given back together. */
#ifndef CAPI_BUFFERS_H
#define CAPI_BUFFERS_H

#include <Python.h>
#include <string.h>

enum { MAX_VIEWS = 6 };

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

/* Borrows an array whose format is one of the letters and whose memory is aligned for it. */
static inline Py_buffer *take_array(Views *views, PyObject *object, const char *name,
                                    const char *letters, int writable) {
  Py_buffer *view = take(views, object, PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0));
  if (!view)
    return NULL;
  const char *format = view->format ? view->format : "B";
  format += format[0] == '='; /* so NumPy begins that of a misaligned array */
  if (strlen(format) != 1 || !strchr(letters, format[0]))
    PyErr_Format(PyExc_TypeError, "%s has the wrong dtype", name);
  else if ((uintptr_t)view->buf % (size_t)view->itemsize)
    PyErr_Format(PyExc_ValueError, "%s must be aligned", name);
  else
    return view;
  return NULL;
}

/* Borrows an int64 array of shape (columns,) when `rows` is NULL, else (*rows, columns). */
static inline void *take_int64(Views *views, PyObject *object, const char *name, int writable,
                               Py_ssize_t columns, Py_ssize_t *rows) {
  Py_buffer *view = take_array(views, object, name, sizeof(long) == 8 ? "lq" : "q", writable);
  if (!view)
    return NULL;
  int ndim = rows ? 2 : 1;
  if (view->ndim != ndim || view->shape[ndim - 1] != columns) {
    PyErr_Format(PyExc_ValueError, "%s must have rows of %zd", name, columns);
    return NULL;
  }
  if (rows)
    *rows = view->shape[0];
  return view->buf;
}

#endif
