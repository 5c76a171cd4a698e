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

/* The borrowed buffers of a call, which one function releases. */
typedef struct {
  Py_buffer views[3];
  matrix matrices[3];
} borrowed;

static int borrow(borrowed *all, int i, PyObject *object) {
  static const char *const names[] = {"a", "b", "out"};
  Py_buffer *view = &all->views[i];
  if (PyObject_GetBuffer(object, view, i == 2 ? PyBUF_RECORDS : PyBUF_RECORDS_RO) < 0)
    return -1;
  matrix *m = &all->matrices[i];
  m->type = view->format[1] ? 0 : view->format[0];
  if (m->type != 'f' && m->type != 'd')
    return PyErr_Format(PyExc_TypeError, "%s must be float32 or float64", names[i]), -1;
  m->data = view->buf;
  m->ndim = view->ndim;
  int n = view->ndim < 3 ? view->ndim : 3;
  memcpy(m->shape, view->shape, n * sizeof *view->shape);
  memcpy(m->strides, view->strides, n * sizeof *view->strides);
  return 0;
}

/* Return 0, or -1 with the exception for an error code. */
static int checked(matrices_code code, const char *message) {
  switch (code) {
  case MATRICES_OK:
    return 0;
  case MATRICES_TYPE:
    PyErr_SetString(PyExc_TypeError, message);
    return -1;
  default:
    PyErr_SetString(PyExc_ValueError, message);
    return -1;
  }
}

static PyObject *fill(borrowed *all, PyObject *out, long long threads) {
  matrix *m = all->matrices;
  const char *message;
  if (!out) {
    matrices_code code = matrices_shape(&m[0], &m[1], &m[2], &message);
    if (checked(code, message) < 0)
      return NULL;
    out = new_array(&m[2]);
  } else {
    Py_INCREF(out);
  }
  if (!out || borrow(all, 2, out) < 0) {
    Py_XDECREF(out);
    return NULL;
  }
  matrices_code code;
  Py_BEGIN_ALLOW_THREADS;
  code = matrices_multiply(&m[0], &m[1], &m[2], threads, &message);
  Py_END_ALLOW_THREADS;
  if (checked(code, message) < 0)
    Py_CLEAR(out);
  return out;
}

static PyObject *matmul(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords) {
  static char *names[] = {"a", "b", "out", "threads", NULL};
  PyObject *a, *b, *out = Py_None;
  long long threads = 1;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|$OL:matmul", names, &a, &b, &out, &threads))
    return NULL;
  borrowed all = {0};
  PyObject *result = NULL;
  if (borrow(&all, 0, a) == 0 && borrow(&all, 1, b) == 0)
    result = fill(&all, out == Py_None ? NULL : out, threads);
  for (int i = 2; i >= 0; i--)
    PyBuffer_Release(&all.views[i]);
  return result;
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
