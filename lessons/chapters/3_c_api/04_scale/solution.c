/* Write scale(values, factor): multiply each double of a buffer by a factor, in place.
 *
 *   >>> values = array.array("d", [1.0, 2.5])
 *   >>> exercise.scale(values, 2.0)
 *   >>> values
 *   array('d', [2.0, 5.0])
 *
 * It returns None and takes any object whose buffer is writable, C-contiguous and of the format
 * "d": an array.array, a NumPy array of any number of dimensions, a memoryview. Nothing is copied.
 *
 * A buffer of another format raises TypeError, and nothing is written to it. For an object without
 * a buffer, a read-only buffer, or one that is not C-contiguous, PyObject_GetBuffer raises what the
 * object's type chooses: leave that exception as it is.
 *
 * Release the buffer on every way out: an array cannot be resized for as long as it is acquired.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
// BEGIN SOLUTION
#include <string.h>
// END SOLUTION

static PyObject *scale(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *values;
  double factor;
  if (!PyArg_ParseTuple(args, "Od", &values, &factor))
    return NULL;
  //: /* TODO: acquire the buffer, look at its format, multiply, release */
  // BEGIN SOLUTION
  Py_buffer view;
  if (PyObject_GetBuffer(values, &view, PyBUF_CONTIG | PyBUF_FORMAT) < 0)
    return NULL;
  if (strcmp(view.format, "d") != 0) {
    PyErr_Format(PyExc_TypeError, "values must have the format 'd', not '%s'", view.format);
    PyBuffer_Release(&view);
    return NULL;
  }
  double *items = view.buf;
  Py_ssize_t n = view.len / view.itemsize;
  for (Py_ssize_t i = 0; i < n; i++)
    items[i] *= factor;
  PyBuffer_Release(&view);
  // END SOLUTION
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"scale", scale, METH_VARARGS, "scale(values, factor)"}, {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
