#include <Python.h>

static PyObject *noop(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  Py_RETURN_NONE;
}

static PyObject *add(PyObject *module, PyObject *const *arguments, Py_ssize_t n) {
  (void)module, (void)n;
  long long a = PyLong_AsLongLong(arguments[0]), b = PyLong_AsLongLong(arguments[1]);
  return PyErr_Occurred() ? NULL : PyLong_FromLongLong(a + b);
}

static PyObject *length(PyObject *module, PyObject *text) {
  Py_ssize_t n;
  (void)module;
  return PyUnicode_AsUTF8AndSize(text, &n) ? PyLong_FromSsize_t(n) : NULL;
}

static PyObject *total(PyObject *module, PyObject *object) {
  Py_buffer view;
  (void)module;
  if (PyObject_GetBuffer(object, &view, PyBUF_ND | PyBUF_FORMAT) < 0)
    return NULL;
  if (view.ndim != 1 || view.format[0] != 'd' || view.format[1] != 0) {
    PyBuffer_Release(&view);
    PyErr_SetString(PyExc_TypeError, "expected a vector of doubles");
    return NULL;
  }
  double sum = 0;
  for (Py_ssize_t i = 0; i < view.shape[0]; i++)
    sum += ((double *)view.buf)[i];
  PyBuffer_Release(&view);
  return PyFloat_FromDouble(sum);
}

static PyObject *fail(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  PyErr_SetString(PyExc_ValueError, "failed");
  return NULL;
}

static PyMethodDef methods[] = {{"noop", noop, METH_NOARGS, NULL},
                                {"add", (PyCFunction)(void (*)(void))add, METH_FASTCALL, NULL},
                                {"length", length, METH_O, NULL},
                                {"total", total, METH_O, NULL},
                                {"fail", fail, METH_NOARGS, NULL},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef calls = {
    PyModuleDef_HEAD_INIT, "calls_capi", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_calls_capi(void) { return PyModuleDef_Init(&calls); }
