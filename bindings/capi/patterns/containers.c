/* Containers through the CPython C API: list, dict and tuple.
 *
 * Shows:  any sequence by the abstract protocol, and a tuple by a format, as the tutorial has them;
 *         then items read where they lie; new lists and tuples, filled before anyone else sees them.
 * Build:  see module.c, for all pages.
 * Bites:  PyList_GET_ITEM and PyDict_Next return borrowed references, and a container can change
 *         when Python code runs (__float__): hold the item, and look at the size again.
 *         PyList_SET_ITEM and PyTuple_SET_ITEM take the reference over.
 */
#include <Python.h>

#include "../module.h"
#include "cookbook.h"
#include "lock.h"
#include "numbers.h"

/* ---- as documented ----------------------------------------------------------------------- */

static int sum_items(PyObject *values, double *sum) {
  Py_ssize_t n = PySequence_Size(values);
  *sum = 0.0;
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *item = PySequence_GetItem(values, i);
    double number = item ? PyFloat_AsDouble(item) : -1.0;
    Py_XDECREF(item);
    if (FAILED(number))
      return -1;
    *sum += number;
  }
  return n < 0 ? -1 : 0;
}

static PyObject *idiomatic_list_in(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *values;
  double sum;
  int status;
  if (!PyArg_ParseTuple(args, "O:list_in", &values))
    return NULL;
  Py_BEGIN_CRITICAL_SECTION(values);
  status = sum_items(values, &sum);
  Py_END_CRITICAL_SECTION();
  return status < 0 ? NULL : PyFloat_FromDouble(sum);
}

static PyObject *idiomatic_tuple_out(PyObject *Py_UNUSED(module), PyObject *args) {
  long long a, b;
  if (!PyArg_ParseTuple(args, "LL:tuple_out", &a, &b))
    return NULL;
  int64_t smaller, larger;
  ck_order(a, b, &smaller, &larger);
  return Py_BuildValue("(LL)", (long long)smaller, (long long)larger);
}

/* The abstract protocol takes any sequence, at two calls and a check for each item. The functions
 * below read the items where they lie. */

/* ---- list in ----------------------------------------------------------------------------- */

static int sum_floats(PyObject *list, double *sum) {
  *sum = 0.0;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
    PyObject *item = Py_NewRef(PyList_GET_ITEM(list, i));
    double number = as_double(item);
    Py_DECREF(item);
    if (FAILED(number))
      return -1;
    *sum += number;
  }
  return 0;
}

static PyObject *list_in(PyObject *Py_UNUSED(module), PyObject *values) {
  if (!PyList_Check(values))
    return PyErr_Format(PyExc_TypeError, "expected a list, not %s", Py_TYPE(values)->tp_name);
  double sum;
  int status;
  Py_BEGIN_CRITICAL_SECTION(values);
  status = sum_floats(values, &sum);
  Py_END_CRITICAL_SECTION();
  return status < 0 ? NULL : PyFloat_FromDouble(sum);
}

static int64_t sum_texts(PyObject *list) {
  int64_t sum = 0;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
    PyObject *text = Py_NewRef(PyList_GET_ITEM(list, i));
    Py_ssize_t size;
    const char *data = PyUnicode_AsUTF8AndSize(text, &size);
    sum += data ? ck_sum_bytes((const uint8_t *)data, (size_t)size) : 0;
    Py_DECREF(text);
    if (!data)
      return -1;
  }
  return sum;
}

static PyObject *strings_in(PyObject *Py_UNUSED(module), PyObject *texts) {
  if (!PyList_Check(texts))
    return PyErr_Format(PyExc_TypeError, "expected a list, not %s", Py_TYPE(texts)->tp_name);
  int64_t sum;
  Py_BEGIN_CRITICAL_SECTION(texts);
  sum = sum_texts(texts);
  Py_END_CRITICAL_SECTION();
  return sum < 0 ? NULL : PyLong_FromLongLong(sum);
}

/* ---- dict in ----------------------------------------------------------------------------- */

/* Read at most as many items as the dict has at first: if a callback replaces items for ever, the
 * loop still ends. */
static int weigh(PyObject *weights, double *sum) {
  PyObject *key, *value;
  Py_ssize_t position = 0, left = PyDict_Size(weights), size;
  for (*sum = 0.0; left > 0 && PyDict_Next(weights, &position, &key, &value); left--) {
    Py_INCREF(key);
    Py_INCREF(value);
    double number = as_double(value);
    const char *text = FAILED(number) ? NULL : PyUnicode_AsUTF8AndSize(key, &size);
    if (text)
      *sum += ck_weigh((const uint8_t *)text, (size_t)size, number);
    Py_DECREF(key);
    Py_DECREF(value);
    if (!text)
      return -1;
  }
  return 0;
}

static PyObject *dict_in(PyObject *Py_UNUSED(module), PyObject *weights) {
  if (!PyDict_Check(weights))
    return PyErr_Format(PyExc_TypeError, "expected a dict, not %s", Py_TYPE(weights)->tp_name);
  double sum;
  int status;
  Py_BEGIN_CRITICAL_SECTION(weights);
  status = weigh(weights, &sum);
  Py_END_CRITICAL_SECTION();
  return status < 0 ? NULL : PyFloat_FromDouble(sum);
}

/* ---- out --------------------------------------------------------------------------------- */

static PyObject *list_out(PyObject *Py_UNUSED(module), PyObject *count) {
  Py_ssize_t n = PyNumber_AsSsize_t(count, PyExc_OverflowError);
  if (FAILED(n))
    return NULL;
  if (n < 0)
    return PyErr_Format(PyExc_ValueError, "n must not be negative: %zd", n);
  PyObject *list = PyList_New(n);
  for (Py_ssize_t i = 0; list && i < n; i++) {
    PyObject *item = PyFloat_FromDouble((double)i);
    if (item)
      PyList_SET_ITEM(list, i, item);
    else
      Py_CLEAR(list);
  }
  return list;
}

static PyObject *tuple_out(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  long long a, b;
  if (check_count("tuple_out", nargs, 2) < 0 || FAILED(a = PyLong_AsLongLong(args[0])) ||
      FAILED(b = PyLong_AsLongLong(args[1])))
    return NULL;
  int64_t smaller, larger;
  ck_order(a, b, &smaller, &larger);
  PyObject *pair = PyTuple_New(2);
  if (!pair)
    return NULL;
  PyTuple_SET_ITEM(pair, 0, PyLong_FromLongLong(smaller));
  PyTuple_SET_ITEM(pair, 1, PyLong_FromLongLong(larger));
  if (!PyTuple_GET_ITEM(pair, 0) || !PyTuple_GET_ITEM(pair, 1))
    Py_CLEAR(pair);
  return pair;
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    METHOD(list_in, METH_O, "(values, /)", "Return the sum of a list of floats."),
    METHOD(list_out, METH_O, "(n, /)", "Return a new list 0.0, 1.0 ... n - 1."),
    METHOD(strings_in, METH_O, "(texts, /)",
           "Return the sum of the UTF-8 bytes of a list of texts."),
    METHOD(dict_in, METH_O, "(weights, /)",
           "Return the sum of each key's UTF-8 bytes times its value."),
    METHOD(tuple_out, METH_FASTCALL, "(a, b, /)",
           "Return the smaller and the larger of two integers."),
    {NULL, NULL, 0, NULL}};

static PyMethodDef idioms[] = {
    IDIOM(list_in, METH_VARARGS, "(values, /)",
          "PySequence_GetItem takes any sequence, and costs two calls and a check for each item."),
    IDIOM(tuple_out, METH_VARARGS, "(a, b, /)",
          "PyArg_ParseTuple and Py_BuildValue parse a format each."),
    {NULL, NULL, 0, NULL}};

int add_containers(PyObject *module, PyObject *idiomatic) {
  return PyModule_AddFunctions(idiomatic, idioms) < 0 ? -1 : PyModule_AddFunctions(module, methods);
}
