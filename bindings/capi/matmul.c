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
#include "matrices.h"

/* ---- arguments --------------------------------------------------------------------------- */

/* A borrowed view of `object` as a matrix or a batch of them, or NULL with an exception set. */
static PyArrayObject *as_matrices(PyObject *object, const char *name) {
  PyArrayObject *array = (PyArrayObject *)object;
  if (!PyArray_Check(object))
    PyErr_Format(PyExc_TypeError, "%s must be a numpy.ndarray, not %s", name,
                 Py_TYPE(object)->tp_name);
  else if ((PyArray_TYPE(array) != NPY_FLOAT32 && PyArray_TYPE(array) != NPY_FLOAT64) ||
           PyArray_ISBYTESWAPPED(array))
    PyErr_Format(PyExc_TypeError, "%s must be float32 or float64 in native byte order, not %R",
                 name, (PyObject *)PyArray_DESCR(array));
  else
    return array;
  return NULL;
}

static int check_ndim(PyArrayObject *array, const char *name) {
  if (PyArray_NDIM(array) == 2 || PyArray_NDIM(array) == 3)
    return 0;
  PyErr_Format(PyExc_ValueError, "%s must have 2 or 3 dimensions, not %d", name,
               PyArray_NDIM(array));
  return -1;
}

static PyArrayObject *refuse_shape(PyArrayObject *out, int ndim, const npy_intp *shape) {
  PyObject *wanted = PyArray_IntTupleFromIntp(ndim, shape),
           *given = PyArray_IntTupleFromIntp(PyArray_NDIM(out), PyArray_DIMS(out));
  if (wanted && given)
    PyErr_Format(PyExc_ValueError, "out must have shape %R, not %R", wanted, given);
  Py_XDECREF(wanted);
  Py_XDECREF(given);
  return NULL;
}

/* A new reference to `out` if it can take the product of a and b, or NULL with an exception set. */
static PyArrayObject *check_out(PyArrayObject *out, PyArrayObject *a, PyArrayObject *b, int ndim,
                                const npy_intp *shape) {
  const char *low = PyArray_BYTES(out), *high = low + PyArray_NBYTES(out);
  if (check_ndim(out, "out") < 0)
    return NULL;
  if (PyArray_NDIM(out) != ndim || !PyArray_CompareLists(PyArray_DIMS(out), shape, ndim))
    return refuse_shape(out, ndim, shape);
  else if (!PyArray_ISCARRAY(out))
    PyErr_Format(PyExc_ValueError, "out must be C-contiguous, aligned and writable");
  else if (may_overlap(a, low, high) || may_overlap(b, low, high))
    PyErr_Format(PyExc_ValueError, "out must not overlap a or b");
  else
    return (PyArrayObject *)Py_NewRef((PyObject *)out);
  return NULL;
}

/* ---- kernel ------------------------------------------------------------------------------ */

enum { BRIEF = 1 << 15 }; /* multiply-adds that take no longer than some releases of the GIL */

/* Fills `out`; the three arrays are kept alive by the caller. */
static void multiply(Matrices a, Matrices b, int64_t count, PyArrayObject *out, int threads) {
  PyThreadState *released = NULL;
  if (count != 1 || (double)a.rows * (double)a.columns * (double)b.columns > BRIEF)
    released = PyEval_SaveThread();
  if (PyArray_TYPE(out) == NPY_FLOAT32)
    ck_matmul_f32(a.data, a.next, a.row, a.column, b.data, b.next, b.row, b.column,
                  PyArray_DATA(out), count, a.rows, a.columns, b.columns, threads);
  else
    ck_matmul_f64(a.data, a.next, a.row, a.column, b.data, b.next, b.row, b.column,
                  PyArray_DATA(out), count, a.rows, a.columns, b.columns, threads);
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

  PyArrayObject *a = as_matrices(values[0], "a"), *b = a ? as_matrices(values[1], "b") : NULL;
  if (!b)
    return NULL;
  if (PyArray_TYPE(a) != PyArray_TYPE(b))
    return PyErr_Format(PyExc_TypeError, "a and b must have the same dtype");
  PyArrayObject *given = values[2] == Py_None ? NULL : as_matrices(values[2], "out"), *out;
  if (values[2] != Py_None && !given)
    return NULL;
  if (given && PyArray_TYPE(given) != PyArray_TYPE(a))
    return PyErr_Format(PyExc_TypeError, "out must have the dtype of a and b");
  if (check_ndim(a, "a") < 0 || check_ndim(b, "b") < 0)
    return NULL;
  Matrices x = matrices(a), y = matrices(b);
  if (x.columns != y.rows)
    return PyErr_Format(PyExc_ValueError, "a has %zd columns but b has %zd rows", x.columns,
                        y.rows);
  if (x.count != y.count && x.count != 1 && y.count != 1)
    return PyErr_Format(PyExc_ValueError, "a has %zd matrices but b has %zd", x.count, y.count);
  npy_intp shape[3] = {x.count == 1 ? y.count : x.count, x.rows, y.columns};
  int ndim = PyArray_NDIM(a) == 2 ? PyArray_NDIM(b) : 3;
  if (given) {
    out = check_out(given, a, b, ndim, shape + 3 - ndim);
  } else {
    out = (PyArrayObject *)PyArray_SimpleNew(ndim, shape + 3 - ndim, PyArray_TYPE(a));
    if (!out)
      PyErr_NoMemory(); /* NumPy says ValueError when the size overflows */
  }
  if (out)
    multiply(x, y, shape[0], out, threads);
  return (PyObject *)out;
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    {"matmul", (PyCFunction)(void (*)(void))matmul, METH_FASTCALL | METH_KEYWORDS,
     "matmul(a, b, *, out=None, threads=1)\n--\n\na @ b; see bindings.protocol.Backend.matmul."},
    {NULL, NULL, 0, NULL}};

static int exec(PyObject *Py_UNUSED(module)) { return PyArray_ImportNumPyAPI(); }

COOKBOOK_MODULE(matmul, methods, exec)
