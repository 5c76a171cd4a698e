#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *find(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *items, *test;
  if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &items, &test))
    return NULL;
  for (Py_ssize_t i = 0; i < PyList_Size(items); i++) {
    PyObject *item = PySequence_GetItem(items, i); /* a new reference */
    if (!item)
      return NULL;
    PyObject *answer = PyObject_CallFunctionObjArgs(test, item, NULL);
    if (!answer) {
      Py_DECREF(item);
      return NULL;
    }
    int found = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    if (found == 1)
      return item;
    Py_DECREF(item);
    if (found == -1)
      return NULL;
  }
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"find", find, METH_VARARGS, "find(items, test)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
