/* Write add(a, b): the sum of two ints.
 *
 *   >>> exercise.add(3, 4)
 *   7
 *
 * An argument or a sum that does not fit into 64 bits raises OverflowError. An argument that is not
 * an integer raises TypeError, and so does any number of arguments other than two.
 *
 * A function that fails sets an exception and returns NULL. Many functions of the C API set one
 * themselves: then you only have to return NULL.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *add(PyObject *Py_UNUSED(module), PyObject *args) {
  //: (void)args; /* TODO: take two C integers out of this tuple, and return a new int */
  //: Py_RETURN_NONE;
  // BEGIN SOLUTION
  long long a, b, sum;
  if (!PyArg_ParseTuple(args, "LL", &a, &b))
    return NULL; /* PyArg_ParseTuple has set the exception */
  if (!__builtin_add_overflow(a, b, &sum))
    return PyLong_FromLongLong(sum);
  PyErr_SetString(PyExc_OverflowError, "the sum does not fit into 64 bits");
  return NULL;
  // END SOLUTION
}

static PyMethodDef methods[] = {{"add", add, METH_VARARGS, "add(a, b)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
