/* DLPack through the CPython C API: a tensor of any library.
 *
 * Shows:  a tensor borrowed by a capsule, and by the C exchange API of its type, which needs neither
 *         Python nor memory; a new tensor of the library of an argument.
 * Build:  see module.c, for all pages. ../../_glue/dlpack.h has the structures and the checks.
 * Bites:  a capsule frees its tensor when it dies, unless it was renamed to "used_..." before: whoever
 *         keeps the tensor beyond the call renames it. What the exchange API fills in nobody owns:
 *         code that changes the tensor must not run before the numbers were read. */
#include <Python.h>

#include "../../_glue/dlpack.h"
#include "../module.h"
#include "cookbook.h"
#include "numbers.h"
#include "state.h"

/* ---- in ---------------------------------------------------------------------------------- */

static PyObject *dlpack_in(PyObject *module, PyObject *values) {
  State *state = PyModule_GetState(module);
  DLPackDoubles found;
  if (dlpack_borrow(state->dlpack_names, values, &found) < 0)
    return NULL;
  return PyFloat_FromDouble(dlpack_sum(found));
}

static PyObject *tensor_in(PyObject *module, PyObject *values) {
  State *state = PyModule_GetState(module);
  DLPackDoubles found;
  if (dlpack_view(state->dlpack_names, values, &found) < 0)
    return NULL;
  return PyFloat_FromDouble(dlpack_sum(found));
}

/* ---- out --------------------------------------------------------------------------------- */

static PyObject *tensor_out(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
  State *state = PyModule_GetState(module);
  Py_ssize_t n;
  if (check_count("tensor_out", nargs, 2) < 0 ||
      FAILED(n = PyNumber_AsSsize_t(args[1], PyExc_OverflowError)))
    return NULL;
  return dlpack_new(state->dlpack_names, args[0], n, ck_iota);
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    METHOD(dlpack_in, METH_O, "(values, /)", "Return the sum of a float64 tensor of any library."),
    METHOD(tensor_in, METH_O, "(values, /)",
           "Return the sum of a float64 tensor, taken without Python if its library can."),
    METHOD(tensor_out, METH_FASTCALL, "(like, n, /)",
           "Return a new tensor 0.0, 1.0 ... n - 1 of the library of another."),
    {NULL, NULL, 0, NULL}};

int add_dlpack(PyObject *module, State *state) {
  state->dlpack_names = dlpack_names();
  return state->dlpack_names ? PyModule_AddFunctions(module, methods) : -1;
}
