/* Empty C functions, the baseline of the ledger: the cost of a statement that converts nothing and
 * does nothing. `f(a, b)` is measured against `call(a, b)`, `c.value` against a member, which the
 * interpreter reads itself, a loop against an iterator without items.
 *
 * Build: by empty.py, for the Python that measures.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <structmember.h>

static PyObject *call(PyObject *self, PyObject *const *arguments, Py_ssize_t n) { Py_RETURN_NONE; }

static PyObject *keywords(PyObject *self, PyObject *const *arguments, Py_ssize_t n,
                          PyObject *names) {
  Py_RETURN_NONE;
}

typedef struct {
  PyObject_HEAD PyObject *value;
} Empty;

static PyObject *make(PyTypeObject *type, PyObject *arguments, PyObject *names) {
  Empty *self = (Empty *)type->tp_alloc(type, 0);
  if (self)
    self->value = Py_NewRef(Py_None);
  return (PyObject *)self;
}

static void dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  Py_XDECREF(((Empty *)self)->value);
  type->tp_free(self);
  Py_DECREF(type);
}

static PyObject *next(PyObject *self) { return NULL; }
static PyObject *itself(PyObject *self) { return Py_NewRef(self); }
static PyObject *iterator(PyObject *self, PyObject *const *arguments, Py_ssize_t n) {
  return Py_NewRef(self);
}

static PyMethodDef methods[] = {
    {"call", (PyCFunction)(void (*)(void))call, METH_FASTCALL, NULL},
    {"add", (PyCFunction)(void (*)(void))call, METH_FASTCALL, NULL},
    {"keywords", (PyCFunction)(void (*)(void))keywords, METH_FASTCALL | METH_KEYWORDS, NULL},
    {"iterator", (PyCFunction)(void (*)(void))iterator, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};
static PyMemberDef members[] = {
    {"value", T_OBJECT_EX, offsetof(Empty, value), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyType_Slot slots[] = {
    {Py_tp_new, make},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {Py_tp_iter, itself},
    {Py_tp_iternext, next},
    {0, NULL},
};
static PyType_Spec spec = {.name = "empty_functions.Empty",
                           .basicsize = sizeof(Empty),
                           .flags = Py_TPFLAGS_DEFAULT,
                           .slots = slots};

static int add_type(PyObject *module) {
  PyObject *type = PyType_FromSpec(&spec);
  int failed = type == NULL || PyModule_AddObjectRef(module, "Empty", type) < 0;
  Py_XDECREF(type);
  return -failed;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, (void *)add_type},
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "empty_functions",
                             .m_slots = module_slots};

PyMODINIT_FUNC PyInit_empty_functions(void) { return PyModuleDef_Init(&module); }
