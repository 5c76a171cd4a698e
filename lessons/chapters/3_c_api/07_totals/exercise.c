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

/* Store the value of a numeric attribute. Return -1 with an exception if that fails. */
static int number_of(PyObject *object, const char *name, double *number) {
  PyObject *value = PyObject_GetAttrString(object, name);
  if (!value)
    return -1;
  *number = PyFloat_AsDouble(value);
  Py_DECREF(value);
  return *number == -1.0 && PyErr_Occurred() ? -1 : 0;
}

static PyObject *totals(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *orders;
  double factor, price, amount;
  if (!PyArg_ParseTuple(args, "O!d", &PyList_Type, &orders, &factor))
    return NULL;
  Py_ssize_t n = PyList_GET_SIZE(orders);
  PyObject *result = PyList_New(0);
  if (!result)
    return NULL;
  for (Py_ssize_t i = 0; i < n; i++) {
    if (PyList_GET_SIZE(orders) != n) {
      PyErr_SetString(PyExc_RuntimeError, "orders changed its size");
      goto fail;
    }
    PyObject *order = Py_NewRef(PyList_GET_ITEM(orders, i));
    int failed = number_of(order, "price", &price) < 0 || number_of(order, "amount", &amount) < 0;
    Py_DECREF(order);
    PyObject *total = failed ? NULL : PyFloat_FromDouble(price * amount * factor);
    if (!total || PyList_Append(result, total) < 0) {
      Py_XDECREF(total);
      goto fail;
    }
    Py_DECREF(total);
  }
  return result;
fail:
  Py_DECREF(result);
  return NULL;
}

/* TODO: struct State with the two names; module_exec makes them; traverse, clear and free */

static PyMethodDef methods[] = {{"totals", totals, METH_VARARGS, "totals(orders, factor)"}, {0}};
static PyModuleDef_Slot slots[] = {{0, NULL}};
static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "exercise",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
