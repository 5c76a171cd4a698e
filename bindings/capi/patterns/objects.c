/* Objects through the CPython C API: a struct by value, an object with a state, an iterator.
 *
 * Shows:  a class as a heap type, made from a spec; members, a method, a property; tp_iter and
 *         tp_iternext, which a `for` calls without a look-up; a type kept in the module's state,
 *         where functions find it.
 * Build:  see module.c, for all pages.
 * Bites:  an instance of a heap type owns a reference to its type: tp_dealloc must release it. For
 *         speed the collector does not see these instances (no Py_TPFLAGS_HAVE_GC): one that is
 *         stored in the module keeps the type and the module alive for ever. A setter is also
 *         called, with NULL, to delete. A T_LONGLONG member is -1 after an int that does not fit,
 *         so `value` is a property. The end of an iterator is NULL without an exception. Without
 *         the GIL two threads may use one object at once, so it has to be locked.
 */
#include <Python.h>
#include <stddef.h>
#if PY_VERSION_HEX < 0x030C0000 /* later versions define these in Python.h */
#include <structmember.h>
#define Py_T_DOUBLE T_DOUBLE
#define Py_READONLY READONLY
#endif

#include "../arguments.h"
#include "../module.h"
#include "cookbook.h"
#include "lock.h"
#include "numbers.h"
#include "state.h"

/* ---- plain types ------------------------------------------------------------------------- */

/* Only tp_vectorcall and our functions make instances; a type has no subclasses or changes. */
#define PLAIN_TYPE                                                                                 \
  (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION)

/* Free an instance that holds no object except its type. */
static void dealloc_plain(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

/* The method __reduce__ of types that cannot be pickled or copied. Without it pickle accepts any
 * type under protocols 0 and 1, and writes data that cannot be read. */
static PyObject *refuse_pickle(PyObject *self, PyObject *Py_UNUSED(none)) {
  return PyErr_Format(PyExc_TypeError, "cannot pickle '%s' object", Py_TYPE(self)->tp_name);
}

#define REFUSE_PICKLE {"__reduce__", refuse_pickle, METH_NOARGS, "Raises TypeError."}

/* tp_vectorcall takes the arguments as the caller has them, where tp_new takes a tuple; without
 * tp_new it is also the only way to make an instance. Before Python 3.14 it has no slot. */
static PyTypeObject *new_type(PyObject *module, PyType_Spec *type_spec,
                              vectorcallfunc constructor) {
  PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, type_spec, NULL);
  if (type)
    type->tp_vectorcall = constructor;
  return type;
}

/* ---- Point ------------------------------------------------------------------------------- */

typedef struct {
  PyObject_HEAD ck_point point;
} Point;

static PyObject *new_point(PyTypeObject *type, ck_point point) {
  Point *self = PyObject_New(Point, type);
  if (self)
    self->point = point;
  return (PyObject *)self;
}

static PyObject *make_point(PyObject *type, PyObject *const *args, size_t nargsf,
                            PyObject *kwnames) {
  static const char *const names[] = {"x", "y"};
  PyObject *v[2] = {NULL};
  ck_point point;
  if (parse_arguments("Point", names, 2, 2, 2, args, PyVectorcall_NARGS(nargsf), kwnames, v) < 0 ||
      FAILED(point.x = as_double(v[0])) || FAILED(point.y = as_double(v[1])))
    return NULL;
  return new_point((PyTypeObject *)type, point);
}

static PyMemberDef point_members[] = {
    {"x", Py_T_DOUBLE, offsetof(Point, point.x), Py_READONLY, "the first"},
    {"y", Py_T_DOUBLE, offsetof(Point, point.y), Py_READONLY, "the second"},
    {NULL, 0, 0, 0, NULL}};

static PyMethodDef point_methods[] = {REFUSE_PICKLE, {NULL, NULL, 0, NULL}};

static PyType_Slot point_slots[] = {{Py_tp_doc, "Point(x, y)\n--\n\nTwo doubles."},
                                    {Py_tp_methods, point_methods},
                                    {Py_tp_dealloc, dealloc_plain},
                                    {Py_tp_members, point_members},
                                    {0, NULL}};

static PyType_Spec point_spec = {.name = "ffi_cookbook.bindings.capi.patterns.Point",
                                 .basicsize = sizeof(Point),
                                 .flags = PLAIN_TYPE,
                                 .slots = point_slots};

/* ---- by value ---------------------------------------------------------------------------- */

static PyObject *struct_in(PyObject *module, PyObject *point) {
  State *state = PyModule_GetState(module);
  if (!Py_IS_TYPE(point, state->Point))
    return PyErr_Format(PyExc_TypeError, "expected a Point, not %s", Py_TYPE(point)->tp_name);
  return PyFloat_FromDouble(ck_point_sum(((Point *)point)->point));
}

static PyObject *struct_out(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
  State *state = PyModule_GetState(module);
  double x, y;
  if (check_count("struct_out", nargs, 2) < 0 || FAILED(x = as_double(args[0])) ||
      FAILED(y = as_double(args[1])))
    return NULL;
  return new_point(state->Point, ck_make_point(x, y));
}

/* ---- Counter ----------------------------------------------------------------------------- */

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

/* ---- iterator ---------------------------------------------------------------------------- */

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
    METHOD(struct_in, METH_O, "(point, /)", "Return x + y of a Point."),
    METHOD(struct_out, METH_FASTCALL, "(x, y, /)", "Return a new Point."),
    METHOD(countdown, METH_O, "(n, /)", "Return an iterator over n - 1, n - 2 ... 0."),
    {NULL, NULL, 0, NULL}};

int add_objects(PyObject *module, State *state) {
  state->Point = new_type(module, &point_spec, make_point);
  state->Counter = new_type(module, &counter_spec, make_counter);
  state->Countdown = new_type(module, &countdown_spec, NULL);
  if (!state->Point || !state->Counter || !state->Countdown ||
      PyModule_AddType(module, state->Point) < 0 || PyModule_AddType(module, state->Counter) < 0)
    return -1;
  return PyModule_AddFunctions(module, methods);
}
