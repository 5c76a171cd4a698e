#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "journal.h"

/* The exception is carried by hand from the reader to write. */
static PyObject *function;

typedef struct {
  PyObject *type, *value, *traceback;
} Raised;

static _Thread_local Raised raised;

static int call_function(const char *entry, void *context) {
  (void)context;
  PyGILState_STATE gil = PyGILState_Ensure();
  PyObject *called = Py_NewRef(function ? function : Py_None);
  PyObject *answer =
      called == Py_None ? Py_NewRef(called) : PyObject_CallFunction(called, "s", entry);
  if (!answer)
    PyErr_Fetch(&raised.type, &raised.value, &raised.traceback);
  Py_XDECREF(answer);
  Py_DECREF(called);
  PyGILState_Release(gil);
  return answer ? 0 : -1;
}

static PyObject *listen_to(PyObject *Py_UNUSED(module), PyObject *new_function) {
  PyObject *old = function;
  if (new_function == Py_None)
    function = NULL;
  else
    function = Py_NewRef(new_function);
  int listens = function != NULL;
  Py_BEGIN_ALLOW_THREADS;
  journal_listen(listens ? call_function : NULL, NULL);
  Py_END_ALLOW_THREADS;
  Py_XDECREF(old);
  Py_RETURN_NONE;
}

static PyObject *write_entry(PyObject *Py_UNUSED(module), PyObject *entry) {
  Py_ssize_t size;
  const char *text = PyUnicode_AsUTF8AndSize(entry, &size);
  if (!text)
    return NULL;
  int code;
  Py_BEGIN_ALLOW_THREADS;
  code = journal_write(text);
  Py_END_ALLOW_THREADS;
  if (code < 0) {
    PyErr_Restore(raised.type, raised.value, raised.traceback);
    return NULL;
  }
  Py_RETURN_NONE;
}

static PyObject *size_of(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused)) {
  long count;
  Py_BEGIN_ALLOW_THREADS;
  count = journal_size();
  Py_END_ALLOW_THREADS;
  return PyLong_FromLong(count);
}

static PyMethodDef methods[] = {
    {"listen", listen_to, METH_O, "listen(function)"},
    {"write", write_entry, METH_O, "write(entry)"},
    {"size", size_of, METH_NOARGS, "size()"},
    {0},
};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
