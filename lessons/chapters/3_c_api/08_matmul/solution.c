/* Write matmul(a, b, *, out=None, threads=1): your own binding of a product of matrices.
 *
 *   >>> exercise.matmul(np.ones((2, 3)), np.ones((3, 1)))
 *   array([[3.],
 *          [3.]])
 *
 * The C functions of matrices.h compute it, and check shapes, `out` and `threads`. Write what lies
 * between them and Python:
 *
 *   - a and b are arrays with any strides, even read-only ones, of format "f" or "d". They are not
 *     copied. Another format raises TypeError, and so does an object without a buffer.
 *   - `out` is None, or a writable array that is filled and returned. Without it the result is a new
 *     array (new_array, below).
 *   - `threads` is an integer, else TypeError. `out` and `threads` can only be passed by keyword.
 *   - An error code of the kernel becomes the exception that matrices.h names, with its message.
 *   - The GIL is released around matrices_multiply, and every buffer is released on every way out.
 *
 * The names and the signature are those of every binding of this project.
 */
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

//: /* TODO: a function that acquires a buffer and describes it by a `matrix` */
//:
//: static PyObject *matmul(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords) {
//:   (void)args, (void)keywords, (void)new_array;
//:   /* TODO: PyArg_ParseTupleAndKeywords, whose format has `|` before optional arguments and `$`
//:    * before keyword-only ones; the buffers; the kernel; exceptions; release. */
//:   Py_RETURN_NONE;
// BEGIN SOLUTION
/* Acquire a buffer and describe it. Return -1 with an exception if its items are not floats. */
static int borrow(PyObject *object, const char *name, int flags, Py_buffer *view, matrix *m) {
  if (PyObject_GetBuffer(object, view, flags) < 0)
    return -1;
  if (strcmp(view->format, "f") != 0 && strcmp(view->format, "d") != 0) {
    PyErr_Format(PyExc_TypeError, "%s must be float32 or float64, not '%s'", name, view->format);
    return -1;
  }
  *m = (matrix){.data = view->buf, .type = view->format[0], .ndim = view->ndim};
  for (int i = 0; i < view->ndim && i < 3; i++) {
    m->shape[i] = view->shape[i];
    m->strides[i] = view->strides[i];
  }
  return 0;
}

static PyObject *matmul(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords) {
  static char *names[] = {"a", "b", "out", "threads", NULL};
  PyObject *left, *right, *out = Py_None, *result = NULL;
  long long threads = 1;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|$OL:matmul", names, &left, &right, &out,
                                   &threads))
    return NULL;
  Py_buffer views[3] = {0}; /* releasing a buffer that was never acquired does nothing */
  matrix a, b, product;
  const char *message = NULL;
  matrices_code code = MATRICES_OK;
  if (borrow(left, "a", PyBUF_RECORDS_RO, &views[0], &a) < 0 ||
      borrow(right, "b", PyBUF_RECORDS_RO, &views[1], &b) < 0)
    goto done;
  if (out != Py_None)
    result = Py_NewRef(out);
  else if ((code = matrices_shape(&a, &b, &product, &message)) == MATRICES_OK)
    result = new_array(&product);
  if (!result)
    goto done;
  if (borrow(result, "out", PyBUF_RECORDS, &views[2], &product) < 0) {
    Py_CLEAR(result);
    goto done;
  }
  Py_BEGIN_ALLOW_THREADS;
  code = matrices_multiply(&a, &b, &product, threads, &message);
  Py_END_ALLOW_THREADS;
  if (code != MATRICES_OK)
    Py_CLEAR(result);
done:
  for (int i = 0; i < 3; i++)
    PyBuffer_Release(&views[i]);
  if (code != MATRICES_OK)
    PyErr_SetString(code == MATRICES_TYPE ? PyExc_TypeError : PyExc_ValueError, message);
  return result;
  // END SOLUTION
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
