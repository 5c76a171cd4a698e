#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "words.h"
#include <string.h>

/* A tuple owns all the words, and nobody else can change it. */
static PyObject *find_words(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *list, *result = NULL;
  const char *text;
  if (!PyArg_ParseTuple(args, "O!s", &PyList_Type, &list, &text))
    return NULL;
  PyObject *words = PyList_AsTuple(list);
  if (!words || !(result = PyList_New(0)))
    goto fail;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(words); i++) {
    PyObject *word = PyTuple_GET_ITEM(words, i);
    Py_ssize_t size;
    const char *chars = PyUnicode_AsUTF8AndSize(word, &size);
    if (!chars)
      goto fail;
    if (memchr(chars, 0, (size_t)size)) {
      PyErr_Format(PyExc_ValueError, "embedded null character in word %zd", i);
      goto fail;
    }
    PyThreadState *state = PyEval_SaveThread();
    int found = occurs(chars, text);
    PyEval_RestoreThread(state);
    if (found && PyList_Append(result, word) < 0)
      goto fail;
  }
  Py_DECREF(words);
  return result;
fail:
  Py_XDECREF(words);
  Py_XDECREF(result);
  return NULL;
}

static PyMethodDef methods[] = {{"find_words", find_words, METH_VARARGS, "find_words(words, text)"},
                                {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
