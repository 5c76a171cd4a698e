/* Write find(items, test): the first item of a list for which test(item) is true, or None.
 *
 *   >>> exercise.find([3, 8, 9], lambda item: item > 5)
 *   8
 *   >>> print(exercise.find([3, 4], lambda item: item > 5))
 *   None
 *
 * `test` is called for one item after the other until its answer is true, and never again after
 * that. An exception in it ends the search and reaches the caller. `items` must be a list, else
 * TypeError is raised.
 *
 * `test` may do anything, even remove items from the list, or clear it. The search goes on
 * at the next index for as long as the list has an item there, as a `for` loop over a list does.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *find(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *items, *test;
  if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &items, &test))
    return NULL;
  //: /* TODO: PyObject_CallOneArg and PyObject_IsTrue, for one item after the other */
  // BEGIN SOLUTION
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
  // END SOLUTION
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"find", find, METH_VARARGS, "find(items, test)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
