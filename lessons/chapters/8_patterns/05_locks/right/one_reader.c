#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "journal.h"

/* The journal's reader is set once and stays; whom it calls is a matter of the GIL alone. */
static PyObject *function;

static int call_function(const char *entry, void *Py_UNUSED(context)) {
  int result = 0;
  PyGILState_STATE state = PyGILState_Ensure();
  if (function) {
    PyObject *own = function;
    Py_INCREF(own);
    PyObject *answer = PyObject_CallFunction(own, "s", entry);
    if (answer)
      Py_DECREF(answer);
    else
      result = -1;
    Py_DECREF(own);
  }
  PyGILState_Release(state);
  return result;
}

static PyObject *listen_to(PyObject *Py_UNUSED(module), PyObject *new_function) {
  Py_BEGIN_ALLOW_THREADS;
  journal_listen(call_function, NULL);
  Py_END_ALLOW_THREADS;
  Py_XSETREF(function, new_function == Py_None ? NULL : Py_NewRef(new_function));
  Py_RETURN_NONE;
}

static PyObject *write_entry(PyObject *Py_UNUSED(module), PyObject *entry) {
  const char *text = PyUnicode_AsUTF8(entry);
  if (!text)
    return NULL;
  PyThreadState *state = PyEval_SaveThread();
  int failed = journal_write(text);
  PyEval_RestoreThread(state);
  return failed ? NULL : Py_NewRef(Py_None);
}

static PyObject *size_of(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused)) {
  PyThreadState *state = PyEval_SaveThread();
  long size = journal_size();
  PyEval_RestoreThread(state);
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
