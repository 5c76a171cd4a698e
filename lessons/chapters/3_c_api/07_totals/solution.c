#define PY_SSIZE_T_CLEAN
#include <Python.h>

typedef struct {
  PyObject *price, *amount; /* the names, interned and owned */
} State;

/* Store the value of a numeric attribute. Return -1 with an exception if that fails. */
static int number_of(PyObject *object, PyObject *name, double *number) {
  PyObject *value = PyObject_GetAttr(object, name);
  if (!value)
    return -1;
  *number = PyFloat_AsDouble(value);
  Py_DECREF(value);
  return *number == -1.0 && PyErr_Occurred() ? -1 : 0;
}

static PyObject *totals(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
  const State *names = PyModule_GetState(module);
  if (nargs != 2 || !PyList_Check(args[0]))
    return PyErr_Format(PyExc_TypeError, "totals() takes a list and a number");
  double factor = PyFloat_AsDouble(args[1]), price, amount;
  if (factor == -1.0 && PyErr_Occurred())
    return NULL;
  PyObject *orders = args[0];
  Py_ssize_t n = PyList_GET_SIZE(orders);
  PyObject *result = PyList_New(n);
  if (!result)
    return NULL;
  for (Py_ssize_t i = 0; i < n; i++) {
    if (PyList_GET_SIZE(orders) != n) {
      PyErr_SetString(PyExc_RuntimeError, "orders changed its size");
      goto fail;
    }
    PyObject *order = Py_NewRef(PyList_GET_ITEM(orders, i));
    int failed =
        number_of(order, names->price, &price) < 0 || number_of(order, names->amount, &amount) < 0;
    Py_DECREF(order);
    PyObject *total = failed ? NULL : PyFloat_FromDouble(price * amount * factor);
    if (!total)
      goto fail;
    PyList_SET_ITEM(result, i, total);
  }
  return result;
fail:
  Py_DECREF(result);
  return NULL;
}

static int module_exec(PyObject *module) {
  State *names = PyModule_GetState(module);
  names->price = PyUnicode_InternFromString("price");
  names->amount = PyUnicode_InternFromString("amount");
  return names->price && names->amount ? 0 : -1;
}

static int module_clear(PyObject *module) {
  State *names = PyModule_GetState(module);
  Py_CLEAR(names->price);
  Py_CLEAR(names->amount);
  return 0;
}

static void module_free(void *module) { module_clear(module); }

static PyMethodDef methods[] = {
    {"totals", (PyCFunction)(void (*)(void))totals, METH_FASTCALL, "totals(orders, factor)"}, {0}};
static PyModuleDef_Slot slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};
static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "exercise",
    .m_size = sizeof(State),
    .m_methods = methods,
    .m_slots = slots,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
