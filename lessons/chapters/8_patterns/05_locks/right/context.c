#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "journal.h"

/* The journal owns the function, as its context, and takes it back under its own lock. */
static PyObject *current;

static int call_function(const char *entry, void *context) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *answer = PyObject_CallFunction(context, "s", entry);
  Py_XDECREF(answer);
  PyGILState_Release(state);
  return answer ? 0 : -1;
}

static PyObject *listen_to(PyObject *Py_UNUSED(module), PyObject *function) {
  PyObject *next = Py_NewRef(function), *before = current;
  current = next;
  Py_BEGIN_ALLOW_THREADS;
  journal_listen(next == Py_None ? NULL : call_function, next);
  Py_END_ALLOW_THREADS; /* no reader is in the old function any more */
  Py_XDECREF(before);
  Py_RETURN_NONE;
}

static int without_gil(const char *text) {
  int failed;
  Py_BEGIN_ALLOW_THREADS;
  failed = journal_write(text);
  Py_END_ALLOW_THREADS;
  return failed;
}

static PyObject *write_entry(PyObject *Py_UNUSED(module), PyObject *entry) {
  const char *text = PyUnicode_AsUTF8(entry);
  if (!text || without_gil(text))
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *size_of(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused)) {
  long size;
  Py_BEGIN_ALLOW_THREADS;
  size = journal_size();
  Py_END_ALLOW_THREADS;
  return PyLong_FromLong(size);
}

static PyMethodDef methods[] = {
    {"listen", listen_to, METH_O, "listen(function)"},
    {"write", write_entry, METH_O, "write(entry)"},
    {"size", size_of, METH_NOARGS, "size()"},
    {0},
};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
