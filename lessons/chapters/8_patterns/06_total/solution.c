/* Find and fix the bugs: a lost update and a borrowed item.
 *
 *   >>> exercise.add([3, 4])
 *   7
 *
 * add(items) adds the items of a list to a total that all threads share, and returns the total. An
 * item is any object with __index__, which may run any Python code: it may clear the list, or call
 * add. Without the GIL another thread may do both at any moment. A negative item raises ValueError
 * with its repr, and the items before it stay added. A list that changes is added as it was.
 */
#include <Python.h>

//: static long total;
// BEGIN SOLUTION
static _Atomic long total;
// END SOLUTION

static PyObject *add(PyObject *Py_UNUSED(module), PyObject *list) {
  if (!PyList_Check(list))
    return PyErr_Format(PyExc_TypeError, "items must be a list");
  long number = 0;
  //: for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list) && number >= 0; i++) {
  //:   PyObject *item = PyList_GET_ITEM(list, i);
  //:   long before = total;
  //:   number = PyLong_AsLong(item);
  //:   if (number >= 0)
  //:     total = before + number;
  // BEGIN SOLUTION
  PyObject *items = PyList_AsTuple(list); /* nobody else can change it, and it owns its items */
  if (!items)
    return NULL;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items) && number >= 0; i++) {
    PyObject *item = PyTuple_GET_ITEM(items, i);
    number = PyLong_AsLong(item);
    if (number >= 0)
      total += number; /* atomic: it is read and written in one step */
    // END SOLUTION
    else if (!PyErr_Occurred())
      PyErr_Format(PyExc_ValueError, "%R is negative", item);
  }
  // BEGIN SOLUTION
  Py_DECREF(items);
  // END SOLUTION
  return number < 0 ? NULL : PyLong_FromLong(total);
}

static PyMethodDef methods[] = {{"add", add, METH_O, "add(items)"}, {0}};
static PyModuleDef_Slot slots[] = {
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED}, /* a promise */
#endif
    {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods, slots};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
