/* Borrowed and new arrays of doubles, for the pages arrays.c and mixed.c. Each of them must call
 * PyArray_ImportNumPyAPI() when the module is made. */
#ifndef CAPI_FLOATS_H
#define CAPI_FLOATS_H

#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

/* Return `values` itself if it is a 1-D float64 array in native byte order with these NPY_ARRAY_
 * flags, else NULL with an exception set. Call this last: Python code that runs can reshape an
 * array. */
static inline PyArrayObject *as_floats(PyObject *values, int flags) {
  PyArrayObject *array = (PyArrayObject *)values;
  if (!PyArray_Check(values) || PyArray_TYPE(array) != NPY_FLOAT64 || PyArray_ISBYTESWAPPED(array))
    PyErr_SetString(PyExc_TypeError, "expected a float64 array in native byte order");
  else if (PyArray_NDIM(array) != 1 || !PyArray_CHKFLAGS(array, flags))
    PyErr_Format(PyExc_ValueError, "expected one dimension, aligned%s%s",
                 flags & NPY_ARRAY_C_CONTIGUOUS ? ", contiguous" : "",
                 flags & NPY_ARRAY_WRITEABLE ? ", writable" : "");
  else
    return array;
  return NULL;
}

/* Return a new array of n items, not filled in; raise ValueError if n < 0. */
static inline PyArrayObject *new_floats(npy_intp n) {
  return (PyArrayObject *)PyArray_SimpleNew(1, &n, NPY_FLOAT64);
}

#endif
