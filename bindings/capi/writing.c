/* What a writer of records needs, through the CPython C API: a checksum, and integers as varints.
 *
 * Shows:  functions of one argument (METH_O), without a tuple or an array of arguments; a bytes
 *         object that is filled before anybody else sees it, and then cut to its size.
 * Build:  Python_add_library(... writing.c), the include directories of CPython and NumPy.
 * Bites:  _PyBytes_Resize frees the object and sets the variable to NULL where it fails; most calls
 *         are so short that releasing the GIL would cost more than the work.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "arrays.h"
#include "buffers.h"
#include "common.h"

/* ---- arguments --------------------------------------------------------------------------- */

enum { WORTH_THE_GIL = 4096, LONGEST_VARINT = 10 }; /* bytes */

static PyThreadState *give_up_gil(Py_ssize_t size) {
  return size < WORTH_THE_GIL ? NULL : PyEval_SaveThread();
}

static void take_gil_again(PyThreadState *given_up) {
  if (given_up)
    PyEval_RestoreThread(given_up);
}

/* ---- kernels ----------------------------------------------------------------------------- */

static PyObject *crc32c(PyObject *Py_UNUSED(module), PyObject *buffer) {
  Views views = {.count = 0};
  Py_buffer *data = take(&views, buffer, "buffer");
  if (!data)
    return release(&views);
  PyThreadState *given_up = give_up_gil(data->len);
  uint32_t crc = ck_crc32c(data->buf, (size_t)data->len);
  take_gil_again(given_up);
  release(&views);
  return PyLong_FromUnsignedLong(crc);
}

static PyObject *encode_varints(PyObject *Py_UNUSED(module), PyObject *array) {
  const int64_t *values = elements(array, "values", NPY_INT64, 0);
  if (!values)
    return NULL;
  if (PyArray_NDIM((PyArrayObject *)array) != 1)
    return PyErr_Format(PyExc_ValueError, "values must be one-dimensional");
  npy_intp n = PyArray_DIM((PyArrayObject *)array, 0);
  PyObject *bytes = PyBytes_FromStringAndSize(NULL, LONGEST_VARINT * n);
  if (!bytes)
    return NULL;
  uint8_t *out = (uint8_t *)PyBytes_AS_STRING(bytes); /* not yet seen by anyone else */
  PyThreadState *given_up = give_up_gil(n * (Py_ssize_t)sizeof *values);
  size_t size = ck_encode_varints(values, (size_t)n, out);
  take_gil_again(given_up);
  _PyBytes_Resize(&bytes, (Py_ssize_t)size);
  return bytes;
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    {"crc32c", crc32c, METH_O,
     "crc32c($module, buffer, /)\n--\n\nSee bindings.protocol.Backend.crc32c."},
    {"encode_varints", encode_varints, METH_O,
     "encode_varints($module, values, /)\n--\n\nSee bindings.protocol.Backend.encode_varints."},
    {NULL, NULL, 0, NULL}};

COOKBOOK_MODULE(writing, methods, exec_numpy)
