/* matmul through the CPython C API.
 *
 * Shows:  a function with keywords under METH_FASTCALL, arrays read and made through NumPy's C API,
 *         the GIL released around a kernel that takes long, multi-phase init.
 * Build:  Python_add_library(... matmul.c), include directories of CPython and NumPy.
 * Bites:  every NULL must be handled and every reference counted by hand; import_array() before the
 *         first PyArray_ call, or it crashes; PyArray_ISALIGNED and byte order are yours to check.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include "common.h"
#include "cookbook.h"

/* ---- arguments --------------------------------------------------------------------------- */

/* A borrowed view of `object` as a matrix, or NULL with an exception set. */
static PyArrayObject *as_matrix(PyObject *object, const char *name) {
  PyArrayObject *array = (PyArrayObject *)object;
  if (!PyArray_Check(object))
    PyErr_Format(PyExc_TypeError, "%s must be a numpy.ndarray, not %s", name,
                 Py_TYPE(object)->tp_name);
  else if ((PyArray_TYPE(array) != NPY_FLOAT32 && PyArray_TYPE(array) != NPY_FLOAT64) ||
           PyArray_ISBYTESWAPPED(array))
    PyErr_Format(PyExc_TypeError, "%s must be float32 or float64 in native byte order, not %R",
                 name, (PyObject *)PyArray_DESCR(array));
  else if (PyArray_NDIM(array) != 2)
    PyErr_Format(PyExc_ValueError, "%s must have 2 dimensions, not %d", name, PyArray_NDIM(array));
  else
    return array;
  return NULL;
}

/* The first and one past the last byte that an array's elements occupy. */
static void memory_bounds(PyArrayObject *array, const char **low, const char **high) {
  *low = *high = PyArray_BYTES(array);
  if (PyArray_SIZE(array) == 0)
    return;
  for (int i = 0; i < 2; i++) {
    npy_intp extent = (PyArray_DIM(array, i) - 1) * PyArray_STRIDE(array, i);
    *(extent < 0 ? low : high) += extent;
  }
  *high += PyArray_ITEMSIZE(array);
}

static int may_overlap(PyArrayObject *x, PyArrayObject *y) {
  const char *x_low, *x_high, *y_low, *y_high;
  memory_bounds(x, &x_low, &x_high);
  memory_bounds(y, &y_low, &y_high);
  return x_low < y_high && y_low < x_high;
}

/* A new reference to `out` if it can take the product of a and b, or NULL with an exception set. */
static PyArrayObject *check_out(PyObject *object, PyArrayObject *a, PyArrayObject *b) {
  PyArrayObject *out = as_matrix(object, "out");
  npy_intp m = PyArray_DIM(a, 0), n = PyArray_DIM(b, 1);
  if (!out)
    return NULL;
  if (PyArray_TYPE(out) != PyArray_TYPE(a))
    PyErr_Format(PyExc_TypeError, "out must have the dtype of a and b");
  else if (PyArray_DIM(out, 0) != m || PyArray_DIM(out, 1) != n)
    PyErr_Format(PyExc_ValueError, "out must have shape (%zd, %zd), not (%zd, %zd)", m, n,
                 PyArray_DIM(out, 0), PyArray_DIM(out, 1));
  else if (!PyArray_ISCARRAY(out))
    PyErr_Format(PyExc_ValueError, "out must be C-contiguous, aligned and writable");
  else if (may_overlap(out, a) || may_overlap(out, b))
    PyErr_Format(PyExc_ValueError, "out must not overlap a or b");
  else
    return (PyArrayObject *)Py_NewRef(object);
  return NULL;
}

/* ---- kernel ------------------------------------------------------------------------------ */

enum { BRIEF = 1 << 15 }; /* multiply-adds that take no longer than some releases of the GIL */

/* Fills `out`; the three arrays are kept alive by the caller. */
static void multiply(PyArrayObject *a, PyArrayObject *b, PyArrayObject *out, int threads) {
  int64_t m = PyArray_DIM(a, 0), k = PyArray_DIM(a, 1), n = PyArray_DIM(b, 1);
  PyThreadState *released = NULL;
  if ((double)m * (double)k * (double)n > BRIEF)
    released = PyEval_SaveThread();
  if (PyArray_TYPE(out) == NPY_FLOAT32)
    ck_matmul_f32(PyArray_DATA(a), PyArray_STRIDE(a, 0), PyArray_STRIDE(a, 1), PyArray_DATA(b),
                  PyArray_STRIDE(b, 0), PyArray_STRIDE(b, 1), PyArray_DATA(out), m, k, n, threads);
  else
    ck_matmul_f64(PyArray_DATA(a), PyArray_STRIDE(a, 0), PyArray_STRIDE(a, 1), PyArray_DATA(b),
                  PyArray_STRIDE(b, 0), PyArray_STRIDE(b, 1), PyArray_DATA(out), m, k, n, threads);
  if (released)
    PyEval_RestoreThread(released);
}

static PyObject *matmul(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
                        PyObject *kwnames) {
  static const char *const names[] = {"a", "b", "out", "threads"};
  PyObject *values[4] = {NULL, NULL, Py_None, NULL};
  if (parse_arguments("matmul", names, 2, 2, 4, args, nargs, kwnames, values) < 0)
    return NULL;
  int threads = 1;
  if (values[3] && parse_threads(values[3], &threads) < 0)
    return NULL;

  PyArrayObject *a = as_matrix(values[0], "a"), *b = a ? as_matrix(values[1], "b") : NULL;
  if (!b)
    return NULL;
  if (PyArray_TYPE(a) != PyArray_TYPE(b))
    return PyErr_Format(PyExc_TypeError, "a and b must have the same dtype");
  if (PyArray_DIM(a, 1) != PyArray_DIM(b, 0))
    return PyErr_Format(PyExc_ValueError, "a has %zd columns but b has %zd rows", PyArray_DIM(a, 1),
                        PyArray_DIM(b, 0));
  PyArrayObject *out;
  if (values[2] != Py_None) {
    out = check_out(values[2], a, b);
  } else {
    npy_intp shape[2] = {PyArray_DIM(a, 0), PyArray_DIM(b, 1)};
    out = (PyArrayObject *)PyArray_SimpleNew(2, shape, PyArray_TYPE(a));
    if (!out)
      PyErr_NoMemory(); /* NumPy says ValueError when the size overflows */
  }
  if (out)
    multiply(a, b, out, threads);
  return (PyObject *)out;
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    {"matmul", (PyCFunction)(void (*)(void))matmul, METH_FASTCALL | METH_KEYWORDS,
     "matmul(a, b, *, out=None, threads=1)\n--\n\na @ b; see bindings.protocol.Backend.matmul."},
    {NULL, NULL, 0, NULL}};

static int exec(PyObject *Py_UNUSED(module)) { return PyArray_ImportNumPyAPI(); }

COOKBOOK_MODULE(matmul, methods, exec)
