#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include "matrices.h"
#include <string.h>

/* Return a new array of the type and shape that matrices_shape has found. */
static PyObject *new_array(const matrix *product) {
  npy_intp shape[3] = {product->shape[0], product->shape[1], product->shape[2]};
  return PyArray_SimpleNew(product->ndim, shape, product->type == 'f' ? NPY_FLOAT32 : NPY_FLOAT64);
}

/* Describe an array. Return -1 with an exception if its items are not floats. */
static int describe(PyObject *object, const char *name, matrix *m) {
  if (!PyArray_Check(object)) {
    PyErr_Format(PyExc_TypeError, "%s must be an array", name);
    return -1;
  }
  PyArrayObject *array = (PyArrayObject *)object;
  int type = PyArray_TYPE(array);
  if ((type != NPY_FLOAT32 && type != NPY_FLOAT64) || PyArray_ISBYTESWAPPED(array)) {
    PyErr_Format(PyExc_TypeError, "%s must be float32 or float64, not %R", name,
                 PyArray_DESCR(array));
    return -1;
  }
  *m = (matrix){PyArray_DATA(array), type == NPY_FLOAT32 ? 'f' : 'd', PyArray_NDIM(array)};
  for (int i = 0; i < m->ndim && i < 3; i++) {
    m->shape[i] = PyArray_DIM(array, i);
    m->strides[i] = PyArray_STRIDE(array, i);
  }
  return 0;
}

static PyObject *raise(matrices_code code, const char *message) {
  PyErr_SetString(code == MATRICES_TYPE ? PyExc_TypeError : PyExc_ValueError, message);
  return NULL;
}

static PyObject *matmul(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords) {
  static char *names[] = {"a", "b", "out", "threads", NULL};
  PyObject *left, *right, *out = Py_None;
  long long threads = 1;
  matrix a, b, product;
  const char *message;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|$OL:matmul", names, &left, &right, &out,
                                   &threads) ||
      describe(left, "a", &a) < 0 || describe(right, "b", &b) < 0)
    return NULL;
  if (out == Py_None) {
    matrices_code code = matrices_shape(&a, &b, &product, &message);
    if (code != MATRICES_OK)
      return raise(code, message);
    out = new_array(&product);
  } else {
    Py_INCREF(out);
  }
  if (!out || describe(out, "out", &product) < 0 ||
      PyArray_FailUnlessWriteable((PyArrayObject *)out, "out") < 0) {
    Py_XDECREF(out);
    return NULL;
  }
  PyThreadState *state = PyEval_SaveThread();
  matrices_code code = matrices_multiply(&a, &b, &product, threads, &message);
  PyEval_RestoreThread(state);
  if (code == MATRICES_OK)
    return out;
  Py_DECREF(out);
  return raise(code, message);
}

static int module_exec(PyObject *Py_UNUSED(module)) { return PyArray_ImportNumPyAPI(); }

static PyMethodDef methods[] = {{"matmul", (PyCFunction)(void (*)(void))matmul,
                                 METH_VARARGS | METH_KEYWORDS,
                                 "matmul($module, /, a, b, *, out=None, threads=1)\n--\n\n"},
                                {0}};
static PyModuleDef_Slot slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "exercise",
                                        .m_methods = methods, .m_slots = slots};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
