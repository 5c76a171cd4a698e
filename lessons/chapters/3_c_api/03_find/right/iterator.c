#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *find(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *items, *test;
  if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &items, &test))
    return NULL;
  /* A list's iterator looks at the list's size at each step, and returns new references. */
  PyObject *iterator = PyObject_GetIter(items), *item;
  if (!iterator)
    return NULL;
  while ((item = PyIter_Next(iterator))) {
    PyObject *answer = PyObject_CallOneArg(test, item);
    int found = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    if (found > 0)
      break;
    Py_CLEAR(item);
    if (found < 0)
      break;
  }
  Py_DECREF(iterator);
  if (item || PyErr_Occurred())
    return item;
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"find", find, METH_VARARGS, "find(items, test)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
