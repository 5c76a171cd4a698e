/* arrays.h: the memory of NumPy arrays. */
#pragma once

#include <Python.h>

#include "cookbook.h"

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

/* A module that uses this page calls it once. */
static inline int exec_numpy(PyObject *Py_UNUSED(module)) { return PyArray_ImportNumPyAPI(); }

/* Return the memory of an array of this type, or NULL with an exception set. */
static inline void *elements(PyObject *object, const char *name, int type, int writable) {
  if (!PyArray_Check(object) ||
      !PyArray_EquivTypenums(PyArray_TYPE((PyArrayObject *)object), type) ||
      PyArray_ISBYTESWAPPED((PyArrayObject *)object))
    return PyErr_Format(PyExc_TypeError, "%s must be a numpy array of %s", name,
                        type == NPY_INT64 ? "int64" : "uint8");
  PyArrayObject *array = (PyArrayObject *)object;
  if (!PyArray_ISCARRAY_RO(array))
    return PyErr_Format(PyExc_ValueError, "%s must be C-contiguous and aligned", name);
  if (writable && !PyArray_ISWRITEABLE(array))
    return PyErr_Format(PyExc_ValueError, "%s must be writable", name);
  return PyArray_DATA(array);
}

/* Return the rows of an int64 array of shape (n, columns) or (columns,). */
static inline void *rows_of(PyObject *object, const char *name, int ndim, npy_intp columns,
                            int writable) {
  void *rows = elements(object, name, NPY_INT64, writable);
  PyArrayObject *array = (PyArrayObject *)object;
  if (rows && (PyArray_NDIM(array) != ndim || PyArray_DIM(array, ndim - 1) != columns))
    return PyErr_Format(PyExc_ValueError, "%s must have rows of %zd", name, columns);
  return rows;
}

static inline size_t length_of(PyObject *array) {
  return (size_t)PyArray_DIM((PyArrayObject *)array, 0);
}

/* Return the memory of a writable array of uint8. On failure it is NULL, with an exception set. */
static inline ck_arena arena_of(PyObject *object) {
  uint8_t *data = elements(object, "arena", NPY_UINT8, 1);
  return (ck_arena){data, data ? (size_t)PyArray_SIZE((PyArrayObject *)object) : 0};
}
