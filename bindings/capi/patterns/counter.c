/* Objects with state through the CPython C API; countdown.c has an iterator.
 *
 * Shows:  a C struct inside a Python object; a method, a property.
 * Build:  see module.c, for all pages.
 * Bites:  a setter is also called, with NULL, to delete. A T_LONGLONG member is -1 after an int
 *         that does not fit, so `value` is a property. Without the GIL an object must be locked.
 */
#include "../arguments.h"
#include "../module.h"
#include "cookbook.h"
#include "lock.h"
#include "numbers.h"
#include "state.h"
#include "types.h"

typedef struct {
  PyObject_HEAD ck_counter counter;
} Counter;

static PyObject *make_counter(PyObject *type, PyObject *const *args, size_t nargsf,
                              PyObject *kwnames) {
  PyObject *v = NULL;
  long long value;
  if (parse_arguments("Counter", (const char *const[]){"value"}, 1, 1, 1, args,
                      PyVectorcall_NARGS(nargsf), kwnames, &v) < 0 ||
      FAILED(value = PyLong_AsLongLong(v)))
    return NULL;
  Counter *self = PyObject_New(Counter, (PyTypeObject *)type);
  if (self)
    ck_counter_start(&self->counter, value);
  return (PyObject *)self;
}

static PyObject *add(Counter *self, PyObject *number) {
  long long n = PyLong_AsLongLong(number);
  if (FAILED(n))
    return NULL;
  int64_t sum;
  Py_BEGIN_CRITICAL_SECTION(self);
  sum = ck_counter_add(&self->counter, n);
  Py_END_CRITICAL_SECTION();
  return PyLong_FromLongLong(sum);
}

static PyObject *get_value(Counter *self, void *Py_UNUSED(closure)) {
  int64_t value;
  Py_BEGIN_CRITICAL_SECTION(self);
  value = self->counter.value;
  Py_END_CRITICAL_SECTION();
  return PyLong_FromLongLong(value);
}

static int set_value(Counter *self, PyObject *number, void *Py_UNUSED(closure)) {
  if (!number) {
    PyErr_SetString(PyExc_AttributeError, "value cannot be deleted");
    return -1;
  }
  long long value = PyLong_AsLongLong(number);
  if (FAILED(value))
    return -1;
  Py_BEGIN_CRITICAL_SECTION(self);
  self->counter.value = value;
  Py_END_CRITICAL_SECTION();
  return 0;
}

static PyMethodDef counter_methods[] = {
    METHOD(add, METH_O, "($self, n, /)", "Add n and return the new value."),
    REFUSE_PICKLE,
    {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {
    {"value", (getter)get_value, (setter)set_value, "an int64", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot counter_slots[] = {{Py_tp_doc, "Counter(value)\n--\n\nAn int64 that wraps."},
                                      {Py_tp_dealloc, dealloc_plain},
                                      {Py_tp_methods, counter_methods},
                                      {Py_tp_getset, properties},
                                      {0, NULL}};

static PyType_Spec counter_spec = {.name = "ffi_cookbook.bindings.capi.patterns.Counter",
                                   .basicsize = sizeof(Counter),
                                   .flags = PLAIN_TYPE,
                                   .slots = counter_slots};

int add_counter(PyObject *module, State *state) {
  state->Counter = new_type(module, &counter_spec, make_counter);
  return state->Counter ? PyModule_AddType(module, state->Counter) : -1;
}
