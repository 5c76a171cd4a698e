/* Release the GIL where it pays, and only there.
 *
 *   >>> exercise.digest(b"abc")
 *   16654208175385433931
 *   >>> exercise.digest_all([b"a", b"bc"])       as if they were one
 *   16654208175385433931
 *
 * digest(data) and digest_all(items) are already written and correct, but hold the GIL throughout.
 * Releasing and acquiring it costs as much as hashing some dozens of bytes if no other thread wants
 * it, and much more if one does. So:
 *
 * - for fewer than LEAST bytes in all, keep the GIL;
 * - for LEAST bytes or more in all, release it once per call, around all of the hashing: other
 *   threads can run then, even if each item is short.
 *
 * While the GIL is released, another thread may clear the list. So acquire what the hashing
 * reads before you release the GIL.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "digest.h"

enum { LEAST = 65536 };

// BEGIN SOLUTION
/* Hash all views, without the GIL if there is much to do. */
static PyObject *digest_views(const Py_buffer *views, Py_ssize_t n) {
  uint64_t hash = DIGEST_SEED;
  Py_ssize_t bytes = 0;
  for (Py_ssize_t i = 0; i < n; i++)
    bytes += views[i].len;
  PyThreadState *state = bytes >= LEAST ? PyEval_SaveThread() : NULL;
  for (Py_ssize_t i = 0; i < n; i++)
    hash = digest(views[i].buf, (size_t)views[i].len, hash);
  if (state)
    PyEval_RestoreThread(state);
  return PyLong_FromUnsignedLongLong(hash);
}

// END SOLUTION
static PyObject *digest_one(PyObject *Py_UNUSED(module), PyObject *data) {
  Py_buffer view;
  if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) < 0)
    return NULL;
  //: uint64_t hash = digest(view.buf, (size_t)view.len, DIGEST_SEED);
  //: PyBuffer_Release(&view);
  //: return PyLong_FromUnsignedLongLong(hash);
  // BEGIN SOLUTION
  PyObject *result = digest_views(&view, 1);
  PyBuffer_Release(&view);
  return result;
  // END SOLUTION
}

//: static PyObject *digest_all(PyObject *Py_UNUSED(module), PyObject *items) {
//:   uint64_t hash = DIGEST_SEED;
//:   if (!PyList_Check(items))
//:     return PyErr_Format(PyExc_TypeError, "items must be a list");
//:   for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items); i++) {
//:     Py_buffer view;
//:     if (PyObject_GetBuffer(PyList_GET_ITEM(items, i), &view, PyBUF_SIMPLE) < 0)
//:       return NULL;
//:     /* TODO: acquire all buffers first, then hash, then release them */
//:     hash = digest(view.buf, (size_t)view.len, hash);
//:     PyBuffer_Release(&view);
//:   }
//:   return PyLong_FromUnsignedLongLong(hash);
// BEGIN SOLUTION
static PyObject *digest_all(PyObject *Py_UNUSED(module), PyObject *list) {
  if (!PyList_Check(list))
    return PyErr_Format(PyExc_TypeError, "items must be a list");
  PyObject *items = PyList_AsTuple(list), *result = NULL; /* nobody else can change the tuple */
  if (!items)
    return NULL;
  Py_ssize_t n = PyTuple_GET_SIZE(items), acquired = 0;
  Py_buffer *views = PyMem_New(Py_buffer, n + 1);
  if (!views)
    PyErr_NoMemory();
  while (views && acquired < n &&
         PyObject_GetBuffer(PyTuple_GET_ITEM(items, acquired), &views[acquired], PyBUF_SIMPLE) == 0)
    acquired++;
  if (views && acquired == n)
    result = digest_views(views, n);
  while (acquired)
    PyBuffer_Release(&views[--acquired]);
  PyMem_Free(views);
  Py_DECREF(items);
  return result;
  // END SOLUTION
}

static PyMethodDef methods[] = {{"digest", digest_one, METH_O, "digest(data)"},
                                {"digest_all", digest_all, METH_O, "digest_all(items)"},
                                {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
