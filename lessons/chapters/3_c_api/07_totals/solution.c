/* Make totals(orders, factor) faster: it is right, but makes far too many objects.
 *
 *   >>> class Order(NamedTuple):
 *   ...     price: float
 *   ...     amount: float
 *   >>> exercise.totals([Order(2.5, 2.0), Order(1.0, 3.0)], 2.0)
 *   [10.0, 6.0]
 *
 * The result is a list with price * amount * factor for each item of a list. An item without these
 * attributes raises AttributeError, and an attribute that is not a number raises TypeError.
 *
 * For n orders, a call may allocate n + 2 times: the list, the memory of its items, and n floats.
 * The checker counts. As it stands, a call makes a tuple for the arguments, two strings for each
 * order, and a list that grows:
 *
 *   - METH_FASTCALL passes the arguments as a C array; PyFloat_AsDouble converts a number.
 *   - A name that each call needs is made once, interned, and owned by the module's state.
 *   - PyList_New(n) has room for n items, each NULL until PyList_SET_ITEM.
 *
 * Reading an attribute can run code, which can change the list `orders`. Raise RuntimeError if its
 * size has changed before all items were read.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

//: /* Store the value of a numeric attribute. Return -1 with an exception if that fails. */
//: static int number_of(PyObject *object, const char *name, double *number) {
//:   PyObject *value = PyObject_GetAttrString(object, name);
// BEGIN SOLUTION
typedef struct {
  PyObject *price, *amount; /* the names, interned and owned */
} State;

/* Store the value of a numeric attribute. Return -1 with an exception if that fails. */
static int number_of(PyObject *object, PyObject *name, double *number) {
  PyObject *value = PyObject_GetAttr(object, name);
  // END SOLUTION
  if (!value)
    return -1;
  *number = PyFloat_AsDouble(value);
  Py_DECREF(value);
  return *number == -1.0 && PyErr_Occurred() ? -1 : 0;
}

//: static PyObject *totals(PyObject *Py_UNUSED(module), PyObject *args) {
//:   PyObject *orders;
//:   double factor, price, amount;
//:   if (!PyArg_ParseTuple(args, "O!d", &PyList_Type, &orders, &factor))
//:     return NULL;
//:   Py_ssize_t n = PyList_GET_SIZE(orders);
//:   PyObject *result = PyList_New(0);
// BEGIN SOLUTION
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
  // END SOLUTION
  if (!result)
    return NULL;
  for (Py_ssize_t i = 0; i < n; i++) {
    if (PyList_GET_SIZE(orders) != n) {
      PyErr_SetString(PyExc_RuntimeError, "orders changed its size");
      goto fail;
    }
    PyObject *order = Py_NewRef(PyList_GET_ITEM(orders, i));
    //: int failed = number_of(order, "price", &price) < 0 || number_of(order, "amount", &amount) < 0;
    //: Py_DECREF(order);
    //: PyObject *total = failed ? NULL : PyFloat_FromDouble(price * amount * factor);
    //: if (!total || PyList_Append(result, total) < 0) {
    //:   Py_XDECREF(total);
    //:   goto fail;
    //: }
    //: Py_DECREF(total);
    // BEGIN SOLUTION
    int failed =
        number_of(order, names->price, &price) < 0 || number_of(order, names->amount, &amount) < 0;
    Py_DECREF(order);
    PyObject *total = failed ? NULL : PyFloat_FromDouble(price * amount * factor);
    if (!total)
      goto fail;
    PyList_SET_ITEM(result, i, total);
    // END SOLUTION
  }
  return result;
fail:
  Py_DECREF(result);
  return NULL;
}

//: /* TODO: struct State with the two names; module_exec makes them; traverse, clear and free */
//:
//: static PyMethodDef methods[] = {{"totals", totals, METH_VARARGS, "totals(orders, factor)"}, {0}};
//: static PyModuleDef_Slot slots[] = {{0, NULL}};
// BEGIN SOLUTION
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
// END SOLUTION
static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "exercise",
    //: .m_methods = methods,
    //: .m_slots = slots,
    // BEGIN SOLUTION
    .m_size = sizeof(State),
    .m_methods = methods,
    .m_slots = slots,
    .m_clear = module_clear,
    .m_free = module_free,
    // END SOLUTION
};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
