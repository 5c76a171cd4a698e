/* The cost ledger through the CPython C API: text, bytes, arrays and lists.
 *
 * Shows:  METH_O; memory borrowed from str, bytes, ndarray and list; a new ndarray.
 * Bites:  what PyUnicode_AsUTF8AndSize and PyTuple_GET_ITEM return is lent, not given; a list can
 *         change whenever Python code runs, and PyFloat_AsDouble can run some (__float__).
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include "probes.h"

/* ---- memory ------------------------------------------------------------------------------ */

static PyObject *str_in(PyObject *Py_UNUSED(module), PyObject *text) {
  Py_ssize_t size;
  const char *data = PyUnicode_AsUTF8AndSize(text, &size); /* kept by `text` */
  if (!data)
    return NULL;
  return PyLong_FromLongLong(ck_sum_bytes((const uint8_t *)data, (size_t)size));
}

static PyObject *bytes_in(PyObject *Py_UNUSED(module), PyObject *data) {
  if (!PyBytes_Check(data))
    return PyErr_Format(PyExc_TypeError, "expected bytes, not %s", Py_TYPE(data)->tp_name);
  return PyLong_FromLongLong(
      ck_sum_bytes((const uint8_t *)PyBytes_AS_STRING(data), (size_t)PyBytes_GET_SIZE(data)));
}

static PyObject *array_in(PyObject *Py_UNUSED(module), PyObject *values) {
  PyArrayObject *array = (PyArrayObject *)values;
  if (!PyArray_Check(values) || PyArray_TYPE(array) != NPY_FLOAT64)
    return PyErr_Format(PyExc_TypeError, "expected a float64 array");
  if (PyArray_NDIM(array) != 1 || !PyArray_ISCARRAY_RO(array))
    return PyErr_Format(PyExc_ValueError, "expected one dimension, C-contiguous, aligned");
  return PyFloat_FromDouble(ck_sum_floats(PyArray_DATA(array), (size_t)PyArray_SIZE(array)));
}

static PyObject *array_out(PyObject *Py_UNUSED(module), PyObject *count) {
  npy_intp n = PyLong_AsSsize_t(count);
  if (FAILED(n))
    return NULL;
  PyObject *array = PyArray_SimpleNew(1, &n, NPY_FLOAT64); /* ValueError when n < 0 */
  if (array)
    ck_iota(PyArray_DATA((PyArrayObject *)array), (size_t)n);
  return array;
}

/* From a tuple of its own, which cannot change while an item's __float__ runs. */
static PyObject *list_in(PyObject *Py_UNUSED(module), PyObject *values) {
  if (!PyList_Check(values))
    return PyErr_Format(PyExc_TypeError, "expected a list, not %s", Py_TYPE(values)->tp_name);
  PyObject *items = PySequence_Tuple(values), *sum = NULL;
  Py_ssize_t n = items ? PyTuple_GET_SIZE(items) : 0;
  double *numbers = items ? PyMem_New(double, n ? n : 1) : NULL;
  if (items && !numbers)
    PyErr_NoMemory();
  Py_ssize_t done = 0;
  for (; numbers && done < n; done++) {
    numbers[done] = PyFloat_AsDouble(PyTuple_GET_ITEM(items, done));
    if (FAILED(numbers[done]))
      break;
  }
  if (numbers && done == n)
    sum = PyFloat_FromDouble(ck_sum_floats(numbers, (size_t)n));
  PyMem_Free(numbers);
  Py_XDECREF(items);
  return sum;
}

static PyMethodDef methods[] = {
    {"str_in", str_in, METH_O, "str_in(text, /)\n--\n\nSum of its UTF-8 bytes."},
    {"bytes_in", bytes_in, METH_O, "bytes_in(data, /)\n--\n\nSum of its bytes."},
    {"array_in", array_in, METH_O, "array_in(values, /)\n--\n\nSum of a float64 array."},
    {"array_out", array_out, METH_O, "array_out(n, /)\n--\n\n0.0, 1.0 ... n - 1."},
    {"list_in", list_in, METH_O, "list_in(values, /)\n--\n\nSum of a list of floats."},
    {NULL, NULL, 0, NULL}};

int add_memory_probes(PyObject *module) {
  return PyArray_ImportNumPyAPI() < 0 ? -1 : PyModule_AddFunctions(module, methods);
}
