#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *find(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *items, *test;
  if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &items, &test))
    return NULL;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items); i++) {
    PyObject *item = Py_NewRef(PyList_GET_ITEM(items, i));
    PyObject *answer = PyObject_CallOneArg(test, item);
    int found = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    if (found > 0)
      return item;
    Py_DECREF(item);
    if (found < 0)
      return NULL;
  }
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"find", find, METH_VARARGS, "find(items, test)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
