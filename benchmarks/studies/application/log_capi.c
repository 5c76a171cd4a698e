#include "split.h"
#include <Python.h>

static int append(PyObject *groups, PyObject *service, double value) {
  PyObject *bytes = PyDict_GetItemWithError(groups, service);
  if (bytes == NULL && !PyErr_Occurred()) {
    PyObject *fresh = PyByteArray_FromStringAndSize(NULL, 0);
    bytes = fresh ? PyDict_SetDefault(groups, service, fresh) : NULL; // the dict keeps it alive
    Py_XDECREF(fresh);
  }
  Py_ssize_t size = bytes ? PyByteArray_GET_SIZE(bytes) : 0;
  if (bytes == NULL || PyByteArray_Resize(bytes, size + (Py_ssize_t)sizeof value) < 0)
    return -1;
  memcpy(PyByteArray_AS_STRING(bytes) + size, &value, sizeof value);
  return 0;
}

static int parse_line(PyObject *groups, PyObject *line, PyObject *weights, Py_ssize_t number) {
  Entry entry;
  const char *text = PyUnicode_AsUTF8(line);
  int code = text ? split(text, &entry) : FINE;
  if (code != FINE)
    PyErr_Format(PyExc_ValueError, "line %zd: %s", number, WRONG[code]);
  if (PyErr_Occurred())
    return -1;
  PyObject *level = PyUnicode_FromStringAndSize(entry.level, (Py_ssize_t)entry.level_size);
  PyObject *service = PyUnicode_FromStringAndSize(entry.service, (Py_ssize_t)entry.service_size);
  PyObject *weight = level && service ? PyDict_GetItemWithError(weights, level) : NULL;
  if (weight == NULL && !PyErr_Occurred())
    PyErr_Format(PyExc_ValueError, "line %zd: unknown level %U", number, level);
  Py_XINCREF(weight); // its __float__ could take it out of the dict
  double factor = weight ? PyFloat_AsDouble(weight) : -1.0;
  int failed = PyErr_Occurred() ? -1 : append(groups, service, factor * entry.duration);
  Py_XDECREF(level), Py_XDECREF(service), Py_XDECREF(weight);
  return failed;
}

static PyObject *parse(PyObject *module, PyObject *args) {
  PyObject *lines, *weights, *service, *bytes;
  if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &lines, &PyDict_Type, &weights))
    return NULL;
  PyObject *groups = PyDict_New();
  int failed = groups ? 0 : -1;
  for (Py_ssize_t i = 0; !failed && i < PyList_GET_SIZE(lines); i++)
    failed = parse_line(groups, PyList_GET_ITEM(lines, i), weights, i + 1);
  for (Py_ssize_t at = 0; !failed && PyDict_Next(groups, &at, &service, &bytes);) {
    PyObject *view = PyMemoryView_FromObject(bytes);
    PyObject *doubles = view ? PyObject_CallMethod(view, "cast", "s", "d") : NULL;
    failed = doubles ? PyDict_SetItem(groups, service, doubles) : -1;
    Py_XDECREF(view), Py_XDECREF(doubles);
  }
  if (failed)
    Py_CLEAR(groups);
  return groups;
}

static PyMethodDef methods[] = {{"parse", parse, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
static PyModuleDef def = {PyModuleDef_HEAD_INIT, .m_name = "log_capi", .m_methods = methods};

PyMODINIT_FUNC PyInit_log_capi(void) { return PyModuleDef_Init(&def); }
