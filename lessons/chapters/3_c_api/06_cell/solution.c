/* Complete the type Cell, which owns one object, so that the garbage collector can see it.
 *
 *   >>> cell = exercise.cell([1, 2])
 *   >>> cell.get()
 *   [1, 2]
 *   >>> cell.set("another")
 *   >>> cell.get()
 *   'another'
 *   >>> cell.set(cell)         a cycle: nothing but the garbage collector can free it
 *
 * The methods of the type are complete, but what it owns is not yet released. Write these:
 *
 *   cell_traverse   visits each object that the cell owns; its heap type is one of them
 *   cell_clear      releases the value, so that a cycle is broken; get() is then None
 *   cell_dealloc    frees the cell, and releases what it owned
 *   spec            the flag and the slots by which Python finds these functions
 *   module_traverse, module_clear    the same for the module, which owns the type in its state
 *
 * When the last reference to the module has gone, the type must be collected too.
 */
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

//: /* TODO: cell_traverse, cell_clear */
//:
//: static void cell_dealloc(PyObject *self) {
//:   /* TODO: as it stands, this releases neither the value nor the type */
//:   Py_TYPE(self)->tp_free(self);
// BEGIN SOLUTION
static int cell_traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(((Cell *)self)->value);
  return 0;
}

static int cell_clear(PyObject *self) {
  Py_CLEAR(((Cell *)self)->value);
  return 0;
}

static void cell_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  cell_clear(self);
  type->tp_free(self);
  Py_DECREF(type);
  // END SOLUTION
}

static PyMethodDef cell_methods[] = {
    {"get", cell_get, METH_NOARGS, "get()"}, {"set", cell_set, METH_O, "set(value)"}, {0}};
//: static PyType_Slot cell_slots[] = {
//:     {Py_tp_dealloc, cell_dealloc}, {Py_tp_methods, cell_methods}, {0, NULL}};
// BEGIN SOLUTION
static PyType_Slot cell_slots[] = {{Py_tp_dealloc, cell_dealloc},
                                   {Py_tp_traverse, cell_traverse},
                                   {Py_tp_clear, cell_clear},
                                   {Py_tp_methods, cell_methods},
                                   {0, NULL}};
// END SOLUTION
static PyType_Spec spec = {
    .name = "exercise.Cell",
    .basicsize = sizeof(Cell),
    //: .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    // BEGIN SOLUTION
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    // END SOLUTION
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

//: /* TODO: module_traverse, module_clear */
// BEGIN SOLUTION
static int module_traverse(PyObject *module, visitproc visit, void *arg) {
  Py_VISIT(((State *)PyModule_GetState(module))->type);
  return 0;
}

static int module_clear(PyObject *module) {
  Py_CLEAR(((State *)PyModule_GetState(module))->type);
  return 0;
}
// END SOLUTION

static PyMethodDef module_methods[] = {{"cell", cell, METH_O, "cell(value)"}, {0}};
static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};
static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "exercise",
    .m_size = sizeof(State),
    .m_methods = module_methods,
    .m_slots = module_slots,
    // BEGIN SOLUTION
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    // END SOLUTION
};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
