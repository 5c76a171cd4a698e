#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "words.h"
#include <string.h>

/* The word is copied, and found again by its characters. */
static PyObject *find_words(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *words;
  const char *text;
  if (!PyArg_ParseTuple(args, "O!s", &PyList_Type, &words, &text))
    return NULL;
  PyObject *result = PyList_New(0);
  for (Py_ssize_t i = 0; result && i < PyList_GET_SIZE(words); i++) {
    Py_ssize_t size;
    const char *chars = PyUnicode_AsUTF8AndSize(PyList_GET_ITEM(words, i), &size);
    char *copy = chars ? PyMem_RawMalloc((size_t)size + 1) : NULL;
    if (!copy) {
      Py_CLEAR(result);
      if (!PyErr_Occurred())
        PyErr_NoMemory();
      break;
    }
    memcpy(copy, chars, (size_t)size + 1);
    int found = 0;
    if (strlen(copy) == (size_t)size) {
      Py_BEGIN_ALLOW_THREADS;
      found = occurs(copy, text);
      Py_END_ALLOW_THREADS;
    } else {
      PyErr_SetString(PyExc_ValueError, "the word has a null character");
      Py_CLEAR(result);
    }
    PyObject *word = found ? PyUnicode_FromStringAndSize(copy, size) : NULL;
    if (found && (!word || PyList_Append(result, word) < 0))
      Py_CLEAR(result);
    Py_XDECREF(word);
    PyMem_RawFree(copy);
  }
  return result;
}

static PyMethodDef methods[] = {{"find_words", find_words, METH_VARARGS, "find_words(words, text)"},
                                {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
