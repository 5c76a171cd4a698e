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

static PyObject *digest_one(PyObject *Py_UNUSED(module), PyObject *data) {
  Py_buffer view;
  if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) < 0)
    return NULL;
  uint64_t hash = digest(view.buf, (size_t)view.len, DIGEST_SEED);
  PyBuffer_Release(&view);
  return PyLong_FromUnsignedLongLong(hash);
}

static PyObject *digest_all(PyObject *Py_UNUSED(module), PyObject *items) {
  uint64_t hash = DIGEST_SEED;
  if (!PyList_Check(items))
    return PyErr_Format(PyExc_TypeError, "items must be a list");
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items); i++) {
    Py_buffer view;
    if (PyObject_GetBuffer(PyList_GET_ITEM(items, i), &view, PyBUF_SIMPLE) < 0)
      return NULL;
    /* TODO: acquire all buffers first, then hash, then release them */
    hash = digest(view.buf, (size_t)view.len, hash);
    PyBuffer_Release(&view);
  }
  return PyLong_FromUnsignedLongLong(hash);
}

static PyMethodDef methods[] = {{"digest", digest_one, METH_O, "digest(data)"},
                                {"digest_all", digest_all, METH_O, "digest_all(items)"},
                                {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
