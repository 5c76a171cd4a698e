/* Write smooth(values): smooth a buffer of doubles in place, and let other threads run meanwhile.
 *
 *   >>> values = array.array("d", [0.0, 8.0, 2.0])
 *   >>> exercise.smooth(values)
 *   >>> values
 *   array('d', [0.0, 4.0, 3.0])
 *
 * smooth_values of smooth.h does the work, and takes long: release the GIL around it, and around
 * nothing else. When it returns -1, raise ValueError.
 *
 * The buffer must not move while the loop runs: another thread may try to resize the
 * array in the meantime.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "smooth.h"
#include <string.h>

static PyObject *smooth(PyObject *Py_UNUSED(module), PyObject *values) {
  Py_buffer view;
  if (PyObject_GetBuffer(values, &view, PyBUF_CONTIG | PyBUF_FORMAT) < 0)
    return NULL;
  if (strcmp(view.format, "d") != 0) {
    PyBuffer_Release(&view);
    return PyErr_Format(PyExc_TypeError, "values must hold doubles");
  }
  //: /* TODO: smooth_values(view.buf, view.len / sizeof(double)), without the GIL */
  //: PyBuffer_Release(&view);
  // BEGIN SOLUTION
  int failed;
  Py_BEGIN_ALLOW_THREADS;
  failed = smooth_values(view.buf, view.len / sizeof(double));
  Py_END_ALLOW_THREADS;
  PyBuffer_Release(&view);
  if (failed) {
    PyErr_SetString(PyExc_ValueError, "values must be finite");
    return NULL;
  }
  // END SOLUTION
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"smooth", smooth, METH_O, "smooth(values)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
