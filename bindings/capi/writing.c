/* The helpers of the record writer through the CPython C API: checksums, frames and varints.
 *
 * Shows:  functions of one argument (METH_O), without a tuple or an array of arguments; a bytes
 *         object that is filled before anybody else sees it; bytes objects read without the GIL,
 *         since they cannot change.
 * Build:  Python_add_library(... writing.c), the include directories of CPython and NumPy.
 * Bites:  _PyBytes_Resize frees the object and sets the variable to NULL if it fails; most calls
 *         are so short that releasing the GIL would cost more than the work; a list may change
 *         while the GIL is released, so its items are held by a tuple.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "arrays.h"
#include "buffers.h"
#include "module.h"
#include "type_error.h"

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

static PyObject *crc32c(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  if (nargs != 1 && nargs != 2)
    return PyErr_Format(PyExc_TypeError, "crc32c() takes 1 or 2 arguments, not %zd", nargs);
  long long before = nargs == 2 ? PyLong_AsLongLong(args[1]) : 0;
  if (before == -1 && PyErr_Occurred())
    return NULL;
  if (before < 0 || before > UINT32_MAX)
    return PyErr_Format(PyExc_OverflowError, "before must fit 32 bits, not %lld", before);
  Py_buffer data;
  if (borrow(args[0], "buffer", &data) < 0)
    return NULL;
  PyThreadState *given_up = give_up_gil(data.len);
  uint32_t crc = ck_crc32c(data.buf, (size_t)data.len, (uint32_t)before);
  take_gil_again(given_up);
  PyBuffer_Release(&data);
  return PyLong_FromUnsignedLong(crc);
}

/* Return the size of the frames of a tuple of bytes, or -1 with an exception set. */
static Py_ssize_t framed_size(PyObject *records) {
  Py_ssize_t size = 0;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(records); i++) {
    PyObject *record = PyTuple_GET_ITEM(records, i);
    if (!PyBytes_Check(record)) {
      refuse_type("records must be a list or tuple of bytes", record);
      return -1;
    }
    if (__builtin_add_overflow(size, PyBytes_GET_SIZE(record) + CK_FRAMING, &size)) {
      PyErr_NoMemory();
      return -1;
    }
  }
  return size;
}

static PyObject *frame_records(PyObject *Py_UNUSED(module), PyObject *records) {
  if (!PyList_Check(records) && !PyTuple_Check(records))
    return refuse_type("records must be a list or tuple of bytes", records);
  PyObject *tuple = PySequence_Tuple(records);
  Py_ssize_t size = tuple ? framed_size(tuple) : -1;
  PyObject *framed = size >= 0 ? PyBytes_FromStringAndSize(NULL, size) : NULL;
  if (framed) {
    uint8_t *out = (uint8_t *)PyBytes_AS_STRING(framed);
    PyThreadState *given_up = give_up_gil(size);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
      PyObject *record = PyTuple_GET_ITEM(tuple, i);
      size_t n = (size_t)PyBytes_GET_SIZE(record);
      ck_frame_record((const uint8_t *)PyBytes_AS_STRING(record), n, out);
      out += n + CK_FRAMING;
    }
    take_gil_again(given_up);
  }
  Py_XDECREF(tuple);
  return framed;
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
    METHOD(crc32c, METH_FASTCALL, "(buffer, before=0, /)",
           "Return the CRC-32C of a buffer; see ffi_cookbook.bindings.protocol.Backend."),
    METHOD(frame_records, METH_O, "(records, /)",
           "Return records framed as TFRecord data; see ffi_cookbook.bindings.protocol.Backend."),
    METHOD(encode_varints, METH_O, "(values, /)",
           "Return int64 values as varints; see ffi_cookbook.bindings.protocol.Backend."),
    {NULL, NULL, 0, NULL}};

COOKBOOK_MODULE(writing, methods, exec_numpy)
