/* Iterators through the CPython C API.
 *
 * Shows:  tp_iter and tp_iternext, which a `for` calls without a look-up.
 * Build:  see module.c, for all pages.
 * Bites:  the end is NULL without an exception. Without the GIL two threads may use one object at
 *         once, so it has to be locked.
 */
#include <Python.h>

#include "../module.h"
#include "cookbook.h"
#include "lock.h"
#include "numbers.h"
#include "state.h"
#include "types.h"

typedef struct {
  PyObject_HEAD ck_counter left;
} Countdown;

static PyObject *next(Countdown *self) {
  int64_t item;
  bool found;
  Py_BEGIN_CRITICAL_SECTION(self);
  found = ck_counter_next(&self->left, &item);
  Py_END_CRITICAL_SECTION();
  return found ? PyLong_FromLongLong(item) : NULL; /* NULL without an exception: the end */
}

static PyMethodDef countdown_methods[] = {REFUSE_PICKLE, {NULL, NULL, 0, NULL}};

static PyType_Slot countdown_slots[] = {{Py_tp_dealloc, dealloc_plain},
                                        {Py_tp_methods, countdown_methods},
                                        {Py_tp_iter, PyObject_SelfIter},
                                        {Py_tp_iternext, next},
                                        {0, NULL}};

static PyType_Spec countdown_spec = {.name = "ffi_cookbook.bindings.capi.patterns.Countdown",
                                     .basicsize = sizeof(Countdown),
                                     .flags = PLAIN_TYPE,
                                     .slots = countdown_slots};

static PyObject *countdown(PyObject *module, PyObject *number) {
  State *state = PyModule_GetState(module);
  long long n = PyLong_AsLongLong(number);
  if (FAILED(n))
    return NULL;
  Countdown *self = PyObject_New(Countdown, state->Countdown);
  if (self)
    ck_counter_start(&self->left, n);
  return (PyObject *)self;
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    METHOD(countdown, METH_O, "(n, /)", "Return an iterator over n - 1, n - 2 ... 0."),
    {NULL, NULL, 0, NULL}};

int add_countdown(PyObject *module, State *state) {
  state->Countdown = new_type(module, &countdown_spec, NULL);
  return state->Countdown ? PyModule_AddFunctions(module, methods) : -1;
}
