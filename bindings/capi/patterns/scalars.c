/* Scalars through the CPython C API.
 *
 * Shows:  arguments by format strings and results by Py_BuildValue, as the tutorial has them; then
 *         METH_NOARGS, METH_O and METH_FASTCALL; keywords found by identity; the GIL released.
 * Build:  see module.c, for all pages.
 * Bites:  -1 is a legal value as well as the error value: after a -1, ask PyErr_Occurred().
 *         PyObject_IsTrue() accepts any object: compare with Py_True and Py_False. In a format, "L"
 *         is for a long long and "n" for a Py_ssize_t.
 */
#include <Python.h>

#include "../module.h"
#include "cookbook.h"
#include "numbers.h"
#include "state.h"

/* ---- as documented ----------------------------------------------------------------------- */

static PyObject *idiomatic_add_int(PyObject *Py_UNUSED(module), PyObject *args) {
  long long a, b;
  if (!PyArg_ParseTuple(args, "LL:add_int", &a, &b))
    return NULL;
  return Py_BuildValue("L", (long long)ck_add_int(a, b));
}

static PyObject *idiomatic_six_scalars(PyObject *Py_UNUSED(module), PyObject *args) {
  long long a, c, e;
  double b, d, f;
  if (!PyArg_ParseTuple(args, "LdLdLd:six_scalars", &a, &b, &c, &d, &e, &f))
    return NULL;
  return PyFloat_FromDouble(ck_six_scalars(a, b, c, d, e, f));
}

static PyObject *idiomatic_keywords(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwargs) {
  static char *names[] = {"x", "scale", "offset", NULL};
  double x, scale = 1.0, offset = 0.0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "d|$dd:keywords", names, &x, &scale, &offset))
    return NULL;
  return Py_BuildValue("d", ck_keywords(x, scale, offset));
}

/* A format is parsed at every call, from a tuple that CPython makes for it, and nothing checks it
 * against the variables. The functions below read the arguments where the caller has them. */

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

/* ---- one --------------------------------------------------------------------------------- */

static PyObject *int_in(PyObject *Py_UNUSED(module), PyObject *number) {
  long long a = PyLong_AsLongLong(number);
  if (FAILED(a))
    return NULL;
  ck_take_int(a);
  Py_RETURN_NONE;
}

static PyObject *int_out(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none)) {
  return PyLong_FromLongLong(ck_give_int());
}

static PyObject *invert(PyObject *Py_UNUSED(module), PyObject *flag) {
  if (flag != Py_True && flag != Py_False)
    return PyErr_Format(PyExc_TypeError, "flag must be a bool, not %s", Py_TYPE(flag)->tp_name);
  return PyBool_FromLong(ck_invert(flag == Py_True));
}

/* ---- several ----------------------------------------------------------------------------- */

static PyObject *add_int(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  long long a, b;
  if (check_count("add_int", nargs, 2) < 0 || FAILED(a = PyLong_AsLongLong(args[0])) ||
      FAILED(b = PyLong_AsLongLong(args[1])))
    return NULL;
  return PyLong_FromLongLong(ck_add_int(a, b));
}

static PyObject *add_float(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  double a, b;
  if (check_count("add_float", nargs, 2) < 0 || FAILED(a = as_double(args[0])) ||
      FAILED(b = as_double(args[1])))
    return NULL;
  return PyFloat_FromDouble(ck_add_float(a, b));
}

static PyObject *six_scalars(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs) {
  if (check_count("six_scalars", nargs, 6) < 0)
    return NULL;
  long long whole[3];
  double real[3];
  for (int i = 0; i < 3; i++) {
    if (FAILED(whole[i] = PyLong_AsLongLong(args[2 * i])) ||
        FAILED(real[i] = as_double(args[2 * i + 1])))
      return NULL;
  }
  return PyFloat_FromDouble(
      ck_six_scalars(whole[0], real[0], whole[1], real[1], whole[2], real[2]));
}

/* ---- by name ----------------------------------------------------------------------------- */

/* Return the index of a keyword's name, or 3. A name written in a program is interned, as ours are,
 * and is the same object. A name made at run time has to be compared. */
static int find(PyObject *const *names, PyObject *keyword) {
  for (int i = 0; i < 3; i++)
    if (names[i] == keyword)
      return i;
  for (int i = 0; i < 3; i++)
    if (PyUnicode_Compare(names[i], keyword) == 0)
      return i;
  return 3;
}

static PyObject *keywords(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                          PyObject *kwnames) {
  State *state = PyModule_GetState(module);
  double values[3] = {0.0, 1.0, 0.0}; /* x, scale, offset */
  Py_ssize_t given = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
  int has_x = nargs == 1;
  if (nargs > 1)
    return PyErr_Format(PyExc_TypeError, "keywords() takes 1 positional argument, not %zd", nargs);
  if (has_x && FAILED(values[0] = as_double(args[0])))
    return NULL;
  for (Py_ssize_t k = 0; k < given; k++) {
    int i = find(state->keyword_names, PyTuple_GET_ITEM(kwnames, k));
    if (i == 3 || (i == 0 && has_x))
      return PyErr_Format(PyExc_TypeError, "keywords() does not take '%U' here",
                          PyTuple_GET_ITEM(kwnames, k));
    if (FAILED(values[i] = as_double(args[nargs + k])))
      return NULL;
    has_x |= i == 0;
  }
  if (!has_x)
    return PyErr_Format(PyExc_TypeError, "keywords() is missing its argument 'x'");
  return PyFloat_FromDouble(ck_keywords(values[0], values[1], values[2]));
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    METHOD(noop, METH_NOARGS, "()", "Do nothing."),
    METHOD(noop_nogil, METH_NOARGS, "()", "Do nothing, with the GIL released."),
    METHOD(int_in, METH_O, "(a, /)", "Take an int64."),
    METHOD(int_out, METH_NOARGS, "()", "Return an int64, 42."),
    METHOD(invert, METH_O, "(flag, /)", "Return the other truth value."),
    METHOD(add_int, METH_FASTCALL, "(a, b, /)", "Return a + b modulo 2**64."),
    METHOD(add_float, METH_FASTCALL, "(a, b, /)", "Return a + b."),
    METHOD(six_scalars, METH_FASTCALL, "(a, b, c, d, e, f, /)", "Return the sum of six numbers."),
    METHOD(keywords, METH_FASTCALL | METH_KEYWORDS, "(x, *, scale=1.0, offset=0.0)",
           "Return x * scale + offset."),
    {NULL, NULL, 0, NULL}};

static PyMethodDef idioms[] = {
    IDIOM(add_int, METH_VARARGS, "(a, b, /)",
          "PyArg_ParseTuple costs a tuple and the parsing of a format."),
    IDIOM(six_scalars, METH_VARARGS, "(a, b, c, d, e, f, /)",
          "A long format takes longer to parse."),
    IDIOM(keywords, METH_VARARGS | METH_KEYWORDS, "(x, *, scale=1.0, offset=0.0)",
          "PyArg_ParseTupleAndKeywords costs a tuple, a dict and a look-up of every name."),
    {NULL, NULL, 0, NULL}};

int add_scalars(PyObject *module, PyObject *idiomatic, State *state) {
  static const char *const names[] = {"x", "scale", "offset"};
  for (int i = 0; i < 3; i++)
    if (!(state->keyword_names[i] = PyUnicode_InternFromString(names[i])))
      return -1;
  return PyModule_AddFunctions(idiomatic, idioms) < 0 ? -1 : PyModule_AddFunctions(module, methods);
}
