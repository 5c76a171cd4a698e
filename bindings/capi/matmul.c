/* matmul through the CPython C API.
 *
 * Shows:  a function with keywords under METH_FASTCALL, arrays borrowed and made through NumPy's C
 *         API, the GIL released around a long kernel, multi-phase init.
 * Build:  Python_add_library(... matmul.c), include directories of CPython and NumPy.
 * Bites:  every NULL must be handled and every reference counted by hand; `threads` is converted
 *         first, because its __index__ can run code that changes the arrays.
 */
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include "arguments.h"
#include "errors.h"
#include "module.h"
#include <numpy/arrayobject.h>

/* ---- arguments --------------------------------------------------------------------------- */

/* Describe an array for the kernel, which checks it. Return -1 if it is not an array. */
static int describe(PyObject *object, const char *name, ck_array *view) {
  PyArrayObject *array = (PyArrayObject *)object;
  if (!PyArray_Check(object))
    return PyErr_Format(PyExc_TypeError, "%s must be a numpy.ndarray", name), -1;
  int type = PyArray_ISBYTESWAPPED(array) ? NPY_NOTYPE : PyArray_TYPE(array);
  view->data = PyArray_DATA(array);
  view->dtype = type == NPY_FLOAT32 ? CK_FLOAT32 : type == NPY_FLOAT64 ? CK_FLOAT64 : 0;
  view->ndim = PyArray_NDIM(array);
  for (int i = 0; i < view->ndim && i < 3; i++) {
    view->shape[i] = PyArray_DIM(array, i);
    view->strides[i] = PyArray_STRIDE(array, i);
  }
  return 0;
}

/* ---- kernel ------------------------------------------------------------------------------ */

static PyObject *matmul(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
                        PyObject *kwnames) {
  static const char *const names[] = {"a", "b", "out", "threads"};
  PyObject *values[4] = {NULL, NULL, Py_None, NULL};
  ck_array a, b, product;
  ck_error error = {0};
  if (parse_arguments("matmul", names, 2, 2, 4, args, nargs, kwnames, values) < 0)
    return NULL;
  long long threads = values[3] ? PyLong_AsLongLong(values[3]) : 1;
  if ((threads == -1 && PyErr_Occurred()) || describe(values[0], "a", &a) < 0 ||
      describe(values[1], "b", &b) < 0)
    return NULL;
  PyObject *out = values[2] == Py_None ? NULL : Py_NewRef(values[2]);
  if (!out) {
    if (ck_matmul_shape(&a, &b, &product, &error) != CK_OK)
      return raise_error("matmul_error", &error, Py_None);
    npy_intp shape[3] = {product.shape[0], product.shape[1], product.shape[2]};
    out = PyArray_SimpleNew(product.ndim, shape, PyArray_TYPE((PyArrayObject *)values[0]));
  }
  if (!out || describe(out, "out", &product) < 0 ||
      PyArray_FailUnlessWriteable((PyArrayObject *)out, "out") < 0)
    goto fail;
  PyThreadState *released = ck_matmul_is_brief(&a, &b) ? NULL : PyEval_SaveThread();
  ck_matmul(&a, &b, &product, threads, &error);
  if (released)
    PyEval_RestoreThread(released);
  if (error.code == CK_OK)
    return out;
  raise_error("matmul_error", &error, out);
fail:
  Py_XDECREF(out);
  return NULL;
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    {"matmul", (PyCFunction)(void (*)(void))matmul, METH_FASTCALL | METH_KEYWORDS,
     "matmul(a, b, *, out=None, threads=1)\n--\n\nReturn a @ b; see protocol.Backend."},
    {NULL, NULL, 0, NULL}};
static int exec(PyObject *Py_UNUSED(module)) { return PyArray_ImportNumPyAPI(); }
static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)exec}, COOKBOOK_PROMISES{0, NULL}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "ffi_cookbook.bindings.capi.matmul",
                             .m_methods = methods, .m_slots = slots};
PyMODINIT_FUNC PyInit_matmul(void) { return PyModuleDef_Init(&module); }
