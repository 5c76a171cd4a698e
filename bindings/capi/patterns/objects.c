/* Objects through the CPython C API: a struct by value; counter.c has one with state.
 *
 * Shows:  a class as a heap type, made from a spec; members; a type kept in the module's state,
 *         where functions find it.
 * Build:  see module.c, for all pages.
 * Bites:  an instance of a heap type owns a reference to its type: tp_dealloc must release it. For
 *         speed the collector does not see these instances (no Py_TPFLAGS_HAVE_GC): one that is
 *         stored in the module keeps the type and the module alive for ever.
 */
#include "../arguments.h"
#include "../module.h"
#include "cookbook.h"
#include "numbers.h"
#include "state.h"
#include "types.h"

typedef struct {
  PyObject_HEAD ck_point point;
} Point;

/* ---- Point ------------------------------------------------------------------------------- */

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

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    METHOD(struct_in, METH_O, "(point, /)", "Return x + y of a Point."),
    METHOD(struct_out, METH_FASTCALL, "(x, y, /)", "Return a new Point."),
    {NULL, NULL, 0, NULL}};

int add_objects(PyObject *module, State *state) {
  state->Point = new_type(module, &point_spec, make_point);
  if (!state->Point || PyModule_AddType(module, state->Point) < 0)
    return -1;
  return PyModule_AddFunctions(module, methods);
}
