#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "digest.h"

enum { LEAST = 65536 };

/* The buffers are acquired one in the frame of another, so nothing has to be allocated. */
typedef struct {
  const Py_buffer *view;
  void *before;
} Link;

static uint64_t hash_links(const Link *last) {
  uint64_t seed = last->before ? hash_links(last->before) : DIGEST_SEED;
  return digest(last->view->buf, (size_t)last->view->len, seed);
}

static PyObject *hash_rest(PyObject *items, Py_ssize_t i, Link *before, Py_ssize_t bytes) {
  if (i == PyTuple_GET_SIZE(items)) {
    PyThreadState *state = bytes >= LEAST ? PyEval_SaveThread() : NULL;
    uint64_t hash = before ? hash_links(before) : DIGEST_SEED;
    if (state)
      PyEval_RestoreThread(state);
    return PyLong_FromUnsignedLongLong(hash);
  }
  Py_buffer view;
  if (PyObject_GetBuffer(PyTuple_GET_ITEM(items, i), &view, PyBUF_SIMPLE) < 0)
    return NULL;
  Link link = {&view, before};
  PyObject *result = hash_rest(items, i + 1, &link, bytes + view.len);
  PyBuffer_Release(&view);
  return result;
}

static PyObject *digest_one(PyObject *Py_UNUSED(module), PyObject *data) {
  PyObject *items = PyTuple_Pack(1, data);
  PyObject *result = items ? hash_rest(items, 0, NULL, 0) : NULL;
  Py_XDECREF(items);
  return result;
}

static PyObject *digest_all(PyObject *Py_UNUSED(module), PyObject *list) {
  if (!PyList_CheckExact(list)) {
    PyErr_SetString(PyExc_TypeError, "not a list");
    return NULL;
  }
  PyObject *items = PyList_AsTuple(list);
  PyObject *result = items ? hash_rest(items, 0, NULL, 0) : NULL;
  Py_XDECREF(items);
  return result;
}

static PyMethodDef methods[] = {{"digest", digest_one, METH_O, "digest(data)"},
                                {"digest_all", digest_all, METH_O, "digest_all(items)"},
                                {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
