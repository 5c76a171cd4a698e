#define PY_SSIZE_T_CLEAN
#include <Python.h>

typedef struct {
  PyObject_HEAD PyObject *value; /* owned; NULL after cell_clear */
} Cell;

typedef struct {
  PyTypeObject *type; /* owned; NULL after module_clear */
} State;

/* ---- the type ---------------------------------------------------------------------------- */

static PyObject *cell_get(PyObject *self, PyObject *Py_UNUSED(none)) {
  PyObject *value = ((Cell *)self)->value;
  return Py_NewRef(value ? value : Py_None);
}

static PyObject *cell_set(PyObject *self, PyObject *value) {
  Py_XSETREF(((Cell *)self)->value, Py_NewRef(value));
  Py_RETURN_NONE;
}

static int cell_traverse(PyObject *self, visitproc visit, void *arg) {
  PyObject *owned[] = {(PyObject *)Py_TYPE(self), ((Cell *)self)->value};
  for (int i = 0; i < 2; i++) {
    int stop = owned[i] ? visit(owned[i], arg) : 0;
    if (stop)
      return stop;
  }
  return 0;
}

static int cell_clear(PyObject *self) {
  PyObject *value = ((Cell *)self)->value;
  ((Cell *)self)->value = NULL; /* first, since releasing the value can run code */
  Py_XDECREF(value);
  return 0;
}

static void cell_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  cell_clear(self);
  type->tp_free(self);
  Py_DECREF(type);
}

static PyMethodDef cell_methods[] = {
    {"get", cell_get, METH_NOARGS, "get()"}, {"set", cell_set, METH_O, "set(value)"}, {0}};
static PyType_Slot cell_slots[] = {{Py_tp_dealloc, cell_dealloc},
                                   {Py_tp_traverse, cell_traverse},
                                   {Py_tp_clear, cell_clear},
                                   {Py_tp_methods, cell_methods},
                                   {0, NULL}};
static PyType_Spec spec = {
    .name = "exercise.Cell",
    .basicsize = sizeof(Cell),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = cell_slots,
};

/* ---- the module -------------------------------------------------------------------------- */

static PyObject *cell(PyObject *module, PyObject *value) {
  PyTypeObject *type = ((State *)PyModule_GetState(module))->type;
  PyObject *self = type->tp_alloc(type, 0);
  if (self)
    ((Cell *)self)->value = Py_NewRef(value);
  return self;
}

static int module_exec(PyObject *module) {
  State *state = PyModule_GetState(module);
  state->type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
  return state->type ? PyModule_AddType(module, state->type) : -1;
}

static int module_traverse(PyObject *module, visitproc visit, void *arg) {
  Py_VISIT(((State *)PyModule_GetState(module))->type);
  return 0;
}

static int module_clear(PyObject *module) {
  Py_CLEAR(((State *)PyModule_GetState(module))->type);
  return 0;
}

static PyMethodDef module_methods[] = {{"cell", cell, METH_O, "cell(value)"}, {0}};
static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};
static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "exercise",
    .m_size = sizeof(State),
    .m_methods = module_methods,
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
