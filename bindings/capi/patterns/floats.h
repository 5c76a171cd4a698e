/* Borrowed and new arrays of doubles, for the pages arrays.c, dlpack.c and mixed.c. */
#ifndef CAPI_FLOATS_H
#define CAPI_FLOATS_H

#include "patterns.h"
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/ndarraytypes.h>

/* `values` itself, if it is a 1-D float64 array in native byte order with these NPY_ARRAY_ flags,
 * else NULL with an exception set. Ask this last: Python code that runs can reshape an array. */
PyArrayObject *as_floats(PyObject *values, int flags);

/* A new array of n, to be filled; ValueError when n < 0. */
PyArrayObject *new_floats(npy_intp n);

/* A new capsule from values.__dlpack__(), or NULL with an exception set. */
PyObject *dlpack_capsule(State *state, PyObject *values);

/* Borrow the doubles of a capsule's tensor until dlpack_release, which is called once. Return -1
 * with an exception set if the tensor is another one; then nothing is borrowed. */
int dlpack_floats(PyObject *capsule, const double **data, size_t *size);
void dlpack_release(PyObject *capsule);

#endif
