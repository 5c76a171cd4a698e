#include <Python.h>

#include "split.h"

static int append(PyObject *groups, PyObject *service, double value) {
  PyObject *bytes = PyDict_GetItemWithError(groups, service);
  if (bytes == NULL) {
    if (PyErr_Occurred() || (bytes = PyByteArray_FromStringAndSize(NULL, 0)) == NULL) return -1;
    int failed = PyDict_SetItem(groups, service, bytes);
    Py_DECREF(bytes);  // the dict keeps it alive
    if (failed) return -1;
  }
  Py_ssize_t size = PyByteArray_GET_SIZE(bytes);
  if (PyByteArray_Resize(bytes, size + (Py_ssize_t)sizeof value) < 0) return -1;
  memcpy(PyByteArray_AS_STRING(bytes) + size, &value, sizeof value);
  return 0;
}

static int parse_line(PyObject *groups, PyObject *line, PyObject *weights, Py_ssize_t number) {
  Entry entry;
  const char *text = PyUnicode_AsUTF8(line);
  if (text == NULL) return -1;
  int code = split(text, &entry);
  if (code != FINE) {
    PyErr_Format(PyExc_ValueError, "line %zd: %s", number, WRONG[code]);
    return -1;
  }
  PyObject *level = PyUnicode_FromStringAndSize(entry.level, (Py_ssize_t)entry.level_size);
  PyObject *service = PyUnicode_FromStringAndSize(entry.service, (Py_ssize_t)entry.service_size);
  PyObject *weight = level && service ? PyDict_GetItemWithError(weights, level) : NULL;
  if (weight == NULL && !PyErr_Occurred())
    PyErr_Format(PyExc_ValueError, "line %zd: unknown level %U", number, level);
  double factor = weight ? PyFloat_AsDouble(weight) : -1.0;
  int failed = PyErr_Occurred() ? -1 : append(groups, service, factor * entry.duration);
  Py_XDECREF(level), Py_XDECREF(service);
  return failed;
}

static PyObject *parse(PyObject *module, PyObject *arguments) {
  PyObject *lines, *weights, *groups = PyDict_New(), *service, *bytes;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "O!O!", &PyList_Type, &lines, &PyDict_Type, &weights)) goto fail;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(lines); i++)
    if (parse_line(groups, PyList_GET_ITEM(lines, i), weights, i + 1) < 0) goto fail;
  for (Py_ssize_t at = 0; PyDict_Next(groups, &at, &service, &bytes);) {
    PyObject *view = PyMemoryView_FromObject(bytes);
    PyObject *doubles = view ? PyObject_CallMethod(view, "cast", "s", "d") : NULL;
    Py_XDECREF(view);
    if (doubles == NULL || PyDict_SetItem(groups, service, doubles) < 0) goto fail;
    Py_DECREF(doubles);
  }
  return groups;
fail:
  Py_XDECREF(groups);
  return NULL;
}

static PyMethodDef methods[] = {{"parse", parse, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "log_capi", NULL, 0, methods,
                                    NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_log_capi(void) { return PyModuleDef_Init(&module); }
