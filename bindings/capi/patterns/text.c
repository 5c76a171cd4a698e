/* Text and bytes through the CPython C API.
 *
 * Shows:  memory borrowed from str, bytes and any buffer; new str and bytes, some filled in after
 *         they were made.
 * Build:  see module.c, for all pages.
 * Bites:  the memory that PyUnicode_AsUTF8AndSize returns belongs to the str, and is freed with it:
 *         a str that is not ASCII is encoded at the first call, and grows by the encoded text. An
 *         exporter whose buffer is not released can never be resized again.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "../module.h"
#include "cookbook.h"
#include "numbers.h"

/* ---- str --------------------------------------------------------------------------------- */

static PyObject *str_in(PyObject *Py_UNUSED(module), PyObject *text) {
  Py_ssize_t size;
  const char *data = PyUnicode_AsUTF8AndSize(text, &size); /* TypeError when it is not a str */
  if (!data)
    return NULL;
  return PyLong_FromLongLong(ck_sum_bytes((const uint8_t *)data, (size_t)size));
}

static PyObject *str_out(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none)) {
  size_t size;
  const char *text = ck_text(&size);
  return PyUnicode_FromStringAndSize(text, (Py_ssize_t)size);
}

static PyObject *score(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  const char *text;
  Py_ssize_t size;
  long long n;
  double x;
  if (check_count("score", nargs, 3) < 0 || !(text = PyUnicode_AsUTF8AndSize(args[0], &size)) ||
      FAILED(n = PyLong_AsLongLong(args[1])) || FAILED(x = as_double(args[2])))
    return NULL;
  return PyFloat_FromDouble(ck_score((const uint8_t *)text, (size_t)size, n, x));
}

/* ---- bytes ------------------------------------------------------------------------------- */

static PyObject *bytes_in(PyObject *Py_UNUSED(module), PyObject *data) {
  if (!PyBytes_Check(data))
    return PyErr_Format(PyExc_TypeError, "expected bytes, not %s", Py_TYPE(data)->tp_name);
  return PyLong_FromLongLong(
      ck_sum_bytes((const uint8_t *)PyBytes_AS_STRING(data), (size_t)PyBytes_GET_SIZE(data)));
}

static PyObject *bytes_out(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none)) {
  size_t size;
  const char *text = ck_text(&size);
  return PyBytes_FromStringAndSize(text, (Py_ssize_t)size);
}

static PyObject *bytes_map(PyObject *Py_UNUSED(module), PyObject *data) {
  if (!PyBytes_Check(data))
    return PyErr_Format(PyExc_TypeError, "expected bytes, not %s", Py_TYPE(data)->tp_name);
  Py_ssize_t size = PyBytes_GET_SIZE(data);
  PyObject *inverted = PyBytes_FromStringAndSize(NULL, size); /* to be filled before it is seen */
  if (inverted)
    ck_inverted((const uint8_t *)PyBytes_AS_STRING(data), (size_t)size,
                (uint8_t *)PyBytes_AS_STRING(inverted));
  return inverted;
}

/* ---- any buffer -------------------------------------------------------------------------- */

static PyObject *buffer_in(PyObject *Py_UNUSED(module), PyObject *data) {
  Py_buffer view;
  if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) < 0) {
    if (PyErr_ExceptionMatches(PyExc_BufferError))
      PyErr_SetString(PyExc_ValueError, "expected a C-contiguous buffer");
    return NULL;
  }
  int64_t sum = ck_sum_bytes(view.buf, (size_t)view.len);
  PyBuffer_Release(&view);
  return PyLong_FromLongLong(sum);
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    METHOD(str_in, METH_O, "(text, /)", "Return the sum of the UTF-8 bytes of a text."),
    METHOD(str_out, METH_NOARGS, "()", "Return a new str."),
    METHOD(score, METH_FASTCALL, "(text, n, x, /)",
           "Return the sum of the UTF-8 bytes of a text, plus n, plus x."),
    METHOD(bytes_in, METH_O, "(data, /)", "Return the sum of the bytes."),
    METHOD(bytes_out, METH_NOARGS, "()", "Return new bytes."),
    METHOD(bytes_map, METH_O, "(data, /)", "Return new bytes with every bit inverted."),
    METHOD(buffer_in, METH_O, "(data, /)", "Return the sum of the bytes of a C-contiguous buffer."),
    {NULL, NULL, 0, NULL}};

int add_text(PyObject *module) { return PyModule_AddFunctions(module, methods); }
