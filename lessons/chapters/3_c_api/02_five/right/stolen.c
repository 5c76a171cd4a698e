#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *first(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *items;
  if (!PyArg_ParseTuple(args, "O!", &PyList_Type, &items))
    return NULL;
  return PySequence_GetItem(items, 0); /* a new reference */
}

static PyObject *pair(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *a, *b;
  if (!PyArg_ParseTuple(args, "OO", &a, &b))
    return NULL;
  return Py_BuildValue("(OO)", a, b);
}

static PyObject *doubled(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *items;
  if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &items))
    return NULL;
  Py_ssize_t n = PyTuple_GET_SIZE(items);
  PyObject *result = PyList_New(n);
  for (Py_ssize_t i = 0; result && i < n; i++) {
    PyObject *item = PyTuple_GET_ITEM(items, i);
    PyObject *twice = PyNumber_Add(item, item);
    if (twice)
      PyList_SET_ITEM(result, i, twice); /* steals the reference */
    else
      Py_CLEAR(result);
  }
  return result;
}

static PyObject *lengths(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *items;
  if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &items))
    return NULL;
  PyObject *result = PyDict_New();
  if (!result)
    return NULL;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items); i++) {
    PyObject *item = PyTuple_GET_ITEM(items, i);
    Py_ssize_t size = PyObject_Size(item);
    if (size < 0) {
      Py_DECREF(result);
      return NULL;
    }
    PyObject *length = PyLong_FromSsize_t(size);
    if (!length || PyDict_SetItem(result, item, length) < 0) {
      Py_XDECREF(length);
      Py_DECREF(result);
      return NULL;
    }
    Py_DECREF(length);
  }
  return result;
}

static PyMethodDef methods[] = {{"first", first, METH_VARARGS, "first(items)"},
                                {"pair", pair, METH_VARARGS, "pair(a, b)"},
                                {"doubled", doubled, METH_VARARGS, "doubled(items)"},
                                {"lengths", lengths, METH_VARARGS, "lengths(items)"},
                                {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
