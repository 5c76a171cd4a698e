/* Find and fix the five mistakes with references.
 *
 *   >>> exercise.first(["a", "b"])             the first item of a list, else IndexError
 *   'a'
 *   >>> exercise.pair(1.5, "b")                a tuple of the two
 *   (1.5, 'b')
 *   >>> exercise.doubled((2.5, "ab"))          a list of item + item for each item of a tuple
 *   [5.0, 'abab']
 *   >>> exercise.lengths(("a", (1, 2, 3)))     a dict of the length of each item of a tuple
 *   {'a': 1, (1, 2, 3): 3}
 *
 * All four give these results, and each either gives up a reference that it does not own, or does
 * not release one that it owns. One of them has two mistakes. The documentation of each function
 * of the C API says which references it returns ("new", "borrowed") and takes ("steals").
 *
 * TODO: fix first, pair, doubled and lengths.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *first(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *items;
  if (!PyArg_ParseTuple(args, "O!", &PyList_Type, &items))
    return NULL;
  //: return PyList_GetItem(items, 0);
  // BEGIN SOLUTION
  PyObject *item = PyList_GetItem(items, 0);
  return Py_XNewRef(item);
  // END SOLUTION
}

static PyObject *pair(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *a, *b;
  if (!PyArg_ParseTuple(args, "OO", &a, &b))
    return NULL;
  PyObject *result = PyTuple_New(2);
  if (!result)
    return NULL;
  //: PyTuple_SET_ITEM(result, 0, a);
  //: PyTuple_SET_ITEM(result, 1, b);
  // BEGIN SOLUTION
  PyTuple_SET_ITEM(result, 0, Py_NewRef(a));
  PyTuple_SET_ITEM(result, 1, Py_NewRef(b));
  // END SOLUTION
  return result;
}

static PyObject *doubled(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *items;
  if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &items))
    return NULL;
  PyObject *result = PyList_New(0);
  if (!result)
    return NULL;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items); i++) {
    PyObject *item = PyTuple_GET_ITEM(items, i);
    PyObject *twice = PyNumber_Add(item, item);
    if (!twice || PyList_Append(result, twice) < 0) {
      Py_XDECREF(twice);
      Py_DECREF(result);
      return NULL;
    }
    // BEGIN SOLUTION
    Py_DECREF(twice);
    // END SOLUTION
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
    //: if (size < 0)
    //:   return NULL;
    // BEGIN SOLUTION
    if (size < 0) {
      Py_DECREF(result);
      return NULL;
    }
    // END SOLUTION
    PyObject *length = PyLong_FromSsize_t(size);
    if (!length || PyDict_SetItem(result, item, length) < 0) {
      Py_XDECREF(length);
      Py_DECREF(result);
      return NULL;
    }
    // BEGIN SOLUTION
    Py_DECREF(length);
    // END SOLUTION
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
