/* Arrays through the CPython C API and NumPy's; dlpack.c has the arrays of other libraries.
 *
 * Shows:  any array by conversion, as NumPy's guide has it; then memory borrowed from an ndarray; a
 *         new ndarray, made from nothing or from another one.
 * Build:  see module.c, for all pages.
 * Bites:  PyArray_ImportNumPyAPI() before the first PyArray_ call, or it crashes. Type, byte order,
 *         alignment and layout are yours to check. Converting a number can run Python code, which can
 *         do anything to an array: convert numbers first and borrow arrays last.
 */
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>

#include "../module.h"
#include "cookbook.h"
#include "numbers.h"

/* ---- as documented ----------------------------------------------------------------------- */

static PyObject *idiomatic_array_in(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *values;
  if (!PyArg_ParseTuple(args, "O:array_in", &values))
    return NULL;
  if (values == Py_None) /* NumPy makes a NaN of it */
    return PyErr_Format(PyExc_TypeError, "values must be an array, not None");
  PyArrayObject *array = (PyArrayObject *)PyArray_FROM_OTF(values, NPY_FLOAT64, NPY_ARRAY_IN_ARRAY);
  if (!array)
    return NULL;
  double sum = ck_sum_floats(PyArray_DATA(array), (size_t)PyArray_SIZE(array));
  Py_DECREF(array);
  return PyFloat_FromDouble(sum);
}

/* A conversion copies an array of another dtype or layout. The functions below borrow the array
 * itself, and refuse one that they would have to convert. */

/* ---- arguments and results ------------------------------------------------------------ */

/* Return `values` itself if it is a 1-D float64 array in native byte order with these NPY_ARRAY_
 * flags, else NULL with an exception set. Call this last: Python code that runs can reshape an
 * array. */
static PyArrayObject *as_floats(PyObject *values, int flags) {
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
static PyArrayObject *new_floats(npy_intp n) {
  return (PyArrayObject *)PyArray_SimpleNew(1, &n, NPY_FLOAT64);
}

/* ---- in ---------------------------------------------------------------------------------- */

static PyObject *array_in(PyObject *Py_UNUSED(module), PyObject *values) {
  PyArrayObject *array = as_floats(values, NPY_ARRAY_CARRAY_RO);
  if (!array)
    return NULL;
  return PyFloat_FromDouble(ck_sum_floats(PyArray_DATA(array), (size_t)PyArray_DIM(array, 0)));
}

static PyObject *array_in_nogil(PyObject *Py_UNUSED(module), PyObject *values) {
  PyArrayObject *array = as_floats(values, NPY_ARRAY_CARRAY_RO);
  if (!array)
    return NULL;
  const double *data = PyArray_DATA(array); /* the array outlives the call */
  size_t size = (size_t)PyArray_DIM(array, 0);
  double sum;
  Py_BEGIN_ALLOW_THREADS;
  sum = ck_sum_floats(data, size);
  Py_END_ALLOW_THREADS;
  return PyFloat_FromDouble(sum);
}

static PyObject *strided_in(PyObject *Py_UNUSED(module), PyObject *values) {
  PyArrayObject *array = as_floats(values, NPY_ARRAY_ALIGNED);
  if (!array)
    return NULL;
  return PyFloat_FromDouble(
      ck_sum_strided(PyArray_DATA(array), (size_t)PyArray_DIM(array, 0), PyArray_STRIDE(array, 0)));
}

/* ---- out and in place -------------------------------------------------------------------- */

static PyObject *array_out(PyObject *Py_UNUSED(module), PyObject *count) {
  Py_ssize_t n = PyNumber_AsSsize_t(count, PyExc_OverflowError);
  PyArrayObject *array = FAILED(n) ? NULL : new_floats(n);
  if (array)
    ck_iota(PyArray_DATA(array), (size_t)n);
  return (PyObject *)array;
}

static PyObject *array_map(PyObject *Py_UNUSED(module), PyObject *values) {
  PyArrayObject *array = as_floats(values, NPY_ARRAY_CARRAY_RO);
  if (!array)
    return NULL;
  npy_intp n = PyArray_DIM(array, 0);
  PyArrayObject *out = new_floats(n);
  if (out)
    ck_doubled(PyArray_DATA(array), (size_t)n, PyArray_DATA(out));
  return (PyObject *)out;
}

static PyObject *array_inplace(PyObject *Py_UNUSED(module), PyObject *const *args,
                               Py_ssize_t nargs) {
  double factor;
  PyArrayObject *array;
  if (check_count("array_inplace", nargs, 2) < 0 || FAILED(factor = as_double(args[1])) ||
      !(array = as_floats(args[0], NPY_ARRAY_CARRAY)))
    return NULL;
  ck_scale(PyArray_DATA(array), (size_t)PyArray_DIM(array, 0), factor);
  Py_RETURN_NONE;
}

static PyObject *scaled(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  double factor;
  PyArrayObject *values;
  if (check_count("scaled", nargs, 2) < 0 || FAILED(factor = as_double(args[1])) ||
      !(values = as_floats(args[0], NPY_ARRAY_CARRAY_RO)))
    return NULL;
  npy_intp n = PyArray_DIM(values, 0);
  PyArrayObject *out = new_floats(n);
  if (out)
    ck_scaled(PyArray_DATA(values), (size_t)n, factor, PyArray_DATA(out));
  return (PyObject *)out;
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    METHOD(array_in, METH_O, "(values, /)", "Return the sum of a C-contiguous float64 array."),
    METHOD(array_in_nogil, METH_O, "(values, /)",
           "Return the sum of an array, added up without the GIL."),
    METHOD(strided_in, METH_O, "(values, /)", "Return the sum of a float64 array of any stride."),
    METHOD(array_out, METH_O, "(n, /)", "Return a new array 0.0, 1.0 ... n - 1."),
    METHOD(array_map, METH_O, "(values, /)", "Return a new array with every item doubled."),
    METHOD(array_inplace, METH_FASTCALL, "(values, factor, /)", "Multiply an array in place."),
    METHOD(scaled, METH_FASTCALL, "(values, factor, /)", "Return a new array, values * factor."),
    {NULL, NULL, 0, NULL}};

static PyMethodDef idioms[] = {
    IDIOM(array_in, METH_VARARGS, "(values, /)",
          "PyArray_FROM_OTF converts any object but None to a float64 array, of any dimensions."),
    {NULL, NULL, 0, NULL}};

int add_arrays(PyObject *module, PyObject *idiomatic) {
  if (PyArray_ImportNumPyAPI() < 0 || PyModule_AddFunctions(idiomatic, idioms) < 0)
    return -1;
  return PyModule_AddFunctions(module, methods);
}
