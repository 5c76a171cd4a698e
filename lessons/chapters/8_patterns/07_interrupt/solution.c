/* Let Ctrl-C end a long search.
 *
 *   >>> exercise.smallest_factor(91)
 *   7
 *   >>> exercise.smallest_factor(2**61 - 1)
 *   ^C
 *   KeyboardInterrupt
 *
 * A signal only sets a flag; Python's handler runs when the main thread executes Python again, or
 * when C asks for it: PyErr_CheckSignals() returns -1 if the handler has raised an exception.
 *
 * Run the search some steps at a time, without the GIL, and look for signals in between: at
 * least once in 100,000 steps, and at most once in 1,000. If the handler raises, the search ends with
 * that exception, and leaves nothing behind. If it does not, the search goes on.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "search.h"

// BEGIN SOLUTION
enum { STEPS = 10000 };

// END SOLUTION
static PyObject *smallest_factor(PyObject *Py_UNUSED(module), PyObject *object) {
  unsigned long long number = PyLong_AsUnsignedLongLong(object);
  if (number == (unsigned long long)-1 && PyErr_Occurred())
    return NULL;
  if (number < 2)
    return PyErr_Format(PyExc_ValueError, "number must be at least 2");
  search *search = search_new(number);
  if (!search)
    return PyErr_NoMemory();
  //: while (!search_run(search, 10000))
  //:   ; /* TODO */
  // BEGIN SOLUTION
  int found = 0;
  while (!found) {
    Py_BEGIN_ALLOW_THREADS;
    found = search_run(search, STEPS);
    Py_END_ALLOW_THREADS;
    if (PyErr_CheckSignals() < 0) {
      search_free(search);
      return NULL;
    }
  }
  // END SOLUTION
  number = search_result(search);
  search_free(search);
  return PyLong_FromUnsignedLongLong(number);
}

static PyMethodDef methods[] = {
    {"smallest_factor", smallest_factor, METH_O, "smallest_factor(number)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
