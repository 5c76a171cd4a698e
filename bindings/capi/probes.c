/* The cost ledger through the CPython C API: one function a pattern, each the shortest right way.
 * This page has the scalars; probes_memory.c and probes_calls.c the rest of the module.
 *
 * Shows:  METH_NOARGS and METH_FASTCALL, keywords, the GIL released, numbers in and out.
 * Build:  Python_add_library(... probes.c probes_memory.c probes_calls.c), CPython's and NumPy's
 *         include directories.
 * Bites:  -1 is a legal value as well as the sign of an error: only then ask PyErr_Occurred().
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "probes.h"

static int check_count(const char *function, Py_ssize_t nargs, Py_ssize_t wanted) {
  if (nargs == wanted)
    return 0;
  PyErr_Format(PyExc_TypeError, "%s() takes %zd arguments but %zd were given", function, wanted,
               nargs);
  return -1;
}

static PyObject *about(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none)) {
  return Py_BuildValue("{s:s,s:s,s:s,s:s}", "technology", "CPython " PY_VERSION, "compiler",
                       ck_compiler(), "kernel", "C", "isa", ck_isa());
}

/* ---- no argument ------------------------------------------------------------------------- */

static PyObject *noop(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none)) {
  ck_noop();
  Py_RETURN_NONE;
}

static PyObject *noop_nogil(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none)) {
  Py_BEGIN_ALLOW_THREADS;
  ck_noop();
  Py_END_ALLOW_THREADS;
  Py_RETURN_NONE;
}

/* ---- scalars ----------------------------------------------------------------------------- */

static PyObject *add_int(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  if (check_count("add_int", nargs, 2) < 0)
    return NULL;
  long long a = PyLong_AsLongLong(args[0]);
  if (FAILED(a))
    return NULL;
  long long b = PyLong_AsLongLong(args[1]);
  if (FAILED(b))
    return NULL;
  return PyLong_FromLongLong(ck_add_int(a, b));
}

static PyObject *add_float(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  if (check_count("add_float", nargs, 2) < 0)
    return NULL;
  double a = PyFloat_AsDouble(args[0]);
  if (FAILED(a))
    return NULL;
  double b = PyFloat_AsDouble(args[1]);
  if (FAILED(b))
    return NULL;
  return PyFloat_FromDouble(ck_add_float(a, b));
}

static PyObject *six_scalars(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  if (check_count("six_scalars", nargs, 6) < 0)
    return NULL;
  long long whole[3];
  double real[3];
  for (int i = 0; i < 3; i++) {
    whole[i] = PyLong_AsLongLong(args[2 * i]);
    if (FAILED(whole[i]))
      return NULL;
    real[i] = PyFloat_AsDouble(args[2 * i + 1]);
    if (FAILED(real[i]))
      return NULL;
  }
  return PyFloat_FromDouble(
      ck_six_scalars(whole[0], real[0], whole[1], real[1], whole[2], real[2]));
}

static PyObject *keywords(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
                          PyObject *kwnames) {
  static const char *const names[] = {"x", "scale", "offset"};
  PyObject *values[3] = {NULL, NULL, NULL};
  if (parse_arguments("keywords", names, 1, 1, 3, args, nargs, kwnames, values) < 0)
    return NULL;
  double numbers[3] = {0.0, 1.0, 0.0};
  for (int i = 0; i < 3; i++) {
    if (!values[i])
      continue;
    numbers[i] = PyFloat_AsDouble(values[i]);
    if (FAILED(numbers[i]))
      return NULL;
  }
  return PyFloat_FromDouble(ck_keywords(numbers[0], numbers[1], numbers[2]));
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    {"about", about, METH_NOARGS, "about()\n--\n\nWhat this door is made with."},
    {"noop", noop, METH_NOARGS, "noop()\n--\n\nNothing."},
    {"noop_nogil", noop_nogil, METH_NOARGS, "noop_nogil()\n--\n\nNothing, without the GIL."},
    {"add_int", (PyCFunction)(void (*)(void))add_int, METH_FASTCALL,
     "add_int(a, b, /)\n--\n\na + b modulo 2**64."},
    {"add_float", (PyCFunction)(void (*)(void))add_float, METH_FASTCALL,
     "add_float(a, b, /)\n--\n\na + b."},
    {"six_scalars", (PyCFunction)(void (*)(void))six_scalars, METH_FASTCALL,
     "six_scalars(a, b, c, d, e, f, /)\n--\n\nTheir sum."},
    {"keywords", (PyCFunction)(void (*)(void))keywords, METH_FASTCALL | METH_KEYWORDS,
     "keywords(x, *, scale=1.0, offset=0.0)\n--\n\nx * scale + offset."},
    {NULL, NULL, 0, NULL}};

static int exec(PyObject *module) {
  return add_memory_probes(module) < 0 || add_call_probes(module) < 0 ? -1 : 0;
}

COOKBOOK_MODULE(probes, methods, exec)
