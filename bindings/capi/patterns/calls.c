/* Call through the CPython C API: calling back, failing, and being interrupted.
 *
 * Shows:  a C callback that calls a Python function, by a format as the documentation has it and
 *         then without one; an error code turned into an exception of Python's or of our own; long
 *         work without the GIL that honours Ctrl-C.
 * Build:  see module.c, for all pages.
 * Bites:  a C library cannot carry a Python exception: keep it set, return anything from the
 *         callback, and look for it when the library has returned. Ctrl-C only leaves a note, which
 *         is not read until PyErr_CheckSignals() is called.
 */
#include <Python.h>

#include "../module.h"
#include "cookbook.h"
#include "numbers.h"
#include "state.h"

/* ---- as documented ----------------------------------------------------------------------- */

static double call_by_format(double x, void *function) {
  if (PyErr_Occurred()) /* raised by an earlier call of the same library function */
    return -1.0;
  PyObject *result = PyObject_CallFunction(function, "d", x);
  double value = result ? PyFloat_AsDouble(result) : -1.0;
  Py_XDECREF(result);
  return value;
}

static PyObject *idiomatic_callback(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *function;
  double x;
  if (!PyArg_ParseTuple(args, "Od:callback", &function, &x))
    return NULL;
  double result = ck_call(call_by_format, function, x);
  return PyErr_Occurred() ? NULL : Py_BuildValue("d", result);
}

/* A format is parsed at every call back. The functions below make the argument themselves. */

/* ---- callback ---------------------------------------------------------------------------- */

/* Called by the kernel, any number of times. The first exception stays set, for `callback` below to
 * find, and nothing more is called. */
static double call_python(double x, void *function) {
  if (PyErr_Occurred())
    return -1.0;
  PyObject *argument = PyFloat_FromDouble(x);
  PyObject *result = argument ? PyObject_CallOneArg(function, argument) : NULL;
  double value = result ? as_double(result) : -1.0;
  Py_XDECREF(argument);
  Py_XDECREF(result);
  return value;
}

static PyObject *callback(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  double x;
  if (check_count("callback", nargs, 2) < 0 || FAILED(x = as_double(args[1])))
    return NULL;
  double result = ck_call(call_python, args[0], x);
  return PyErr_Occurred() ? NULL : PyFloat_FromDouble(result);
}

/* ---- failure ----------------------------------------------------------------------------- */

static int as_int(PyObject *number, int *value) {
  long wide = PyLong_AsLong(number);
  if (FAILED(wide))
    return -1;
  *value = (int)wide;
  if (*value == wide)
    return 0;
  PyErr_Format(PyExc_OverflowError, "%ld does not fit a C int", wide);
  return -1;
}

static PyObject *error(PyObject *Py_UNUSED(module), PyObject *number) {
  int code;
  if (as_int(number, &code) < 0)
    return NULL;
  int status = ck_fail(code);
  if (status != 0)
    return PyErr_Format(PyExc_ValueError, "native call failed with code %d", status);
  Py_RETURN_NONE;
}

/* Raise PatternError(code, offset). Always return NULL. */
static PyObject *raise_pattern_error(PyObject *type, const ck_failure *failure) {
  PyObject *code = PyLong_FromLong(failure->code);
  PyObject *offset = PyLong_FromLongLong(failure->offset);
  PyObject *exception =
      code && offset ? PyObject_Vectorcall(type, (PyObject *[]){code, offset}, 2, NULL) : NULL;
  if (exception)
    PyErr_SetObject(type, exception);
  Py_XDECREF(exception);
  Py_XDECREF(code);
  Py_XDECREF(offset);
  return NULL;
}

static PyObject *error_fields(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
  State *state = PyModule_GetState(module);
  int code;
  long long offset;
  if (check_count("error_fields", nargs, 2) < 0 || as_int(args[0], &code) < 0 ||
      FAILED(offset = PyLong_AsLongLong(args[1])))
    return NULL;
  ck_failure failure;
  if (ck_fail_at(code, offset, &failure) != 0)
    return raise_pattern_error(state->PatternError, &failure);
  Py_RETURN_NONE;
}

/* ---- interruption ------------------------------------------------------------------------ */

enum { SLICE = 65536 };

static PyObject *interruptible(PyObject *Py_UNUSED(module), PyObject *number) {
  long long left = PyLong_AsLongLong(number);
  if (FAILED(left))
    return NULL;
  if (left < 0)
    return PyErr_Format(PyExc_ValueError, "rounds must not be negative: %lld", left);
  uint64_t state = 1;
  while (PyErr_CheckSignals() == 0) {
    if (left == 0)
      return PyLong_FromUnsignedLongLong(state);
    long long rounds = left < SLICE ? left : SLICE;
    Py_BEGIN_ALLOW_THREADS;
    state = ck_work(state, (uint64_t)rounds);
    Py_END_ALLOW_THREADS;
    left -= rounds;
  }
  return NULL; /* the signal's handler raised */
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    METHOD(callback, METH_FASTCALL, "(function, x, /)", "Return function(x) + 1."),
    METHOD(error, METH_O, "(code, /)", "Raise ValueError if the native function fails."),
    METHOD(error_fields, METH_FASTCALL, "(code, offset, /)",
           "Raise PatternError if the native function fails."),
    METHOD(interruptible, METH_O, "(rounds, /)",
           "Return the state of xorshift64 after some rounds, unless Ctrl-C stops it."),
    {NULL, NULL, 0, NULL}};

static PyMethodDef idioms[] = {IDIOM(callback, METH_VARARGS, "(function, x, /)",
                                     "PyObject_CallFunction parses a format at every call back."),
                               {NULL, NULL, 0, NULL}};

int add_calls(PyObject *module, PyObject *idiomatic, State *state) {
  PyObject *errors = PyImport_ImportModule("ffi_cookbook.bindings.errors");
  state->PatternError = errors ? PyObject_GetAttrString(errors, "PatternError") : NULL;
  Py_XDECREF(errors);
  if (!state->PatternError || PyModule_AddFunctions(idiomatic, idioms) < 0)
    return -1;
  return PyModule_AddFunctions(module, methods);
}
