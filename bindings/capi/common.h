/* What the four pages of this binding share: arguments by keyword, errors, and the module definition.
 */
#ifndef CAPI_COMMON_H
#define CAPI_COMMON_H

#include <Python.h>

#include "cookbook.h"

/* Return an int whose bit i is the bool values[i], or bit i of `preset` where that is NULL; -1 with an
 * exception set if one is not a bool. */
static inline int flags_from(PyObject *const *values, const char *const *names, int n, int preset) {
  for (int i = 0; i < n; i++) {
    if (values[i] == Py_True)
      preset |= 1 << i;
    else if (values[i] == Py_False)
      preset &= ~(1 << i);
    else if (values[i]) {
      PyErr_Format(PyExc_TypeError, "%s must be a bool, not %s", names[i],
                   Py_TYPE(values[i])->tp_name);
      return -1;
    }
  }
  return preset;
}

/* Sorts positional and keyword arguments of a METH_FASTCALL | METH_KEYWORDS function into `values`
 * (borrowed; what is not given keeps its default). The first `required` names must be given; those
 * from `positional` on only by keyword. */
static inline int parse_arguments(const char *function, const char *const *names,
                                  Py_ssize_t required, Py_ssize_t positional, Py_ssize_t total,
                                  PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
                                  PyObject **values) {
  if (nargs > positional) {
    PyErr_Format(PyExc_TypeError, "%s() takes %zd positional arguments but %zd were given",
                 function, positional, nargs);
    return -1;
  }
  Py_ssize_t given = 0; /* of the required ones */
  for (Py_ssize_t i = 0; i < nargs; i++)
    values[i] = args[i];
  given = nargs < required ? nargs : required;
  for (Py_ssize_t k = 0; kwnames && k < PyTuple_GET_SIZE(kwnames); k++) {
    PyObject *name = PyTuple_GET_ITEM(kwnames, k);
    Py_ssize_t i = 0;
    while (i < total && PyUnicode_CompareWithASCIIString(name, names[i]) != 0)
      i++;
    if (i == total || i < nargs) {
      PyErr_Format(PyExc_TypeError,
                   i == total ? "%s() got an unexpected keyword argument '%U'"
                              : "%s() got multiple values for argument '%U'",
                   function, name);
      return -1;
    }
    values[i] = args[nargs + k];
    given += i < required;
  }
  if (given < required) {
    PyErr_Format(PyExc_TypeError, "%s() misses %zd required arguments", function, required - given);
    return -1;
  }
  return 0;
}

/* Raises TypeError: what is expected, and of what type the object is, as `type(given).__name__`. */
static inline PyObject *refuse_type(const char *expected, PyObject *given) {
  PyObject *name = PyType_GetName(Py_TYPE(given));
  if (name)
    PyErr_Format(PyExc_TypeError, "%s, not %U", expected, name);
  Py_XDECREF(name);
  return NULL;
}

static inline int parse_int64(PyObject *object, int64_t *value) {
  *value = PyLong_AsLongLong(object);
  return *value == -1 && PyErr_Occurred() ? -1 : 0;
}

static inline int parse_threads(PyObject *object, int *threads) {
  int overflow; /* 1: more than a long holds, -1: less */
  long value = PyLong_AsLongAndOverflow(object, &overflow);
  if (value == -1 && PyErr_Occurred())
    return -1;
  if (value < 1 && overflow <= 0) {
    PyErr_Format(PyExc_ValueError, "threads must be at least 1, not %S", object);
    return -1;
  }
  *threads = overflow || value > CK_MAX_THREADS ? CK_MAX_THREADS : (int)value;
  return 0;
}

/* Raises what bindings.errors.<maker>(error, context) returns. Always returns NULL. */
static inline PyObject *raise_error(const char *maker, const ck_error *error, PyObject *context) {
  PyObject *module = PyImport_ImportModule("bindings.errors");
  PyObject *exception =
      module ? PyObject_CallMethod(module, maker, "(LLLLLL)O", (long long)error->code,
                                   (long long)error->offset, (long long)error->record,
                                   (long long)error->field, (long long)error->expected,
                                   (long long)error->actual, context)
             : NULL;
  if (exception)
    PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
  Py_XDECREF(exception);
  Py_XDECREF(module);
  return NULL;
}

/* A function of a module; `inspect` reads its signature from the first line of the docstring. */
#define METHOD(name, flags, signature, doc)                                                        \
  {#name, (PyCFunction)(void (*)(void))name, flags, #name signature "\n--\n\n" doc}

/* A slot for each promise: runs without the GIL's protection; not in subinterpreters, because NumPy
 * does not. */
#if PY_VERSION_HEX >= 0x030D0000
#define COOKBOOK_GIL_SLOT {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#else
#define COOKBOOK_GIL_SLOT
#endif
#if PY_VERSION_HEX >= 0x030C0000
#define COOKBOOK_INTERPRETERS_SLOT                                                                 \
  {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#else
#define COOKBOOK_INTERPRETERS_SLOT
#endif
#define COOKBOOK_PROMISES COOKBOOK_GIL_SLOT COOKBOOK_INTERPRETERS_SLOT

/* Defines PyInit_<page>, once per extension module; `exec` runs when the module is imported. What
 * follows are further fields of the definition, for a module that has a state. */
#define COOKBOOK_MODULE(page, page_methods, page_exec, ...)                                        \
  static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)page_exec},                             \
                                     COOKBOOK_PROMISES{0, NULL}};                                  \
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "bindings.capi." #page,        \
                                   .m_methods = page_methods, .m_slots = slots, __VA_ARGS__};      \
  PyMODINIT_FUNC PyInit_##page(void) { return PyModuleDef_Init(&definition); }

#endif
