/* What the pattern pages share: the module's state, and how arguments are taken. */
#ifndef CAPI_PATTERNS_H
#define CAPI_PATTERNS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "../common.h"

/* What the module keeps, each interpreter its own: nothing here is a global variable. */
typedef struct {
  PyObject *keyword_names[3];                          /* keywords */
  PyObject *dlpack, *dlpack_keywords, *dlpack_version; /* dlpack_in */
  PyTypeObject *Point, *Counter, *Countdown;           /* struct_in, Counter, countdown */
  PyObject *PatternError;                              /* error_fields */
} State;

/* Each page adds its functions to the module, and what they need to its state. */
int add_scalars(PyObject *module, State *state);
int add_text(PyObject *module);
int add_arrays(PyObject *module, State *state);
int add_containers(PyObject *module);
int add_objects(PyObject *module, State *state);
int add_calls(PyObject *module, State *state);
int add_mixed(PyObject *module);
int add_idiomatic(PyObject *module);

/* True when `value` is the error mark and an exception is set. */
#define FAILED(value) ((value) == -1 && PyErr_Occurred())

static inline int check_count(const char *function, Py_ssize_t nargs, Py_ssize_t wanted) {
  if (nargs == wanted)
    return 0;
  PyErr_Format(PyExc_TypeError, "%s() takes %zd arguments but %zd were given", function, wanted,
               nargs);
  return -1;
}

/* PyFloat_AsDouble, without a call for what is exactly a float. */
static inline double as_double(PyObject *number) {
  return PyFloat_CheckExact(number) ? PyFloat_AS_DOUBLE(number) : PyFloat_AsDouble(number);
}

/* The lock of one object, where there is no GIL to be one for all of them. */
#ifndef Py_BEGIN_CRITICAL_SECTION
#define Py_BEGIN_CRITICAL_SECTION(object) {
#define Py_END_CRITICAL_SECTION() }
#endif

#endif
