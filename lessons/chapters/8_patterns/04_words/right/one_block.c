#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "words.h"
#include <string.h>

/* All words are searched in one block without the GIL, and the list is made afterwards. */
static PyObject *chosen(PyObject *words, const char **chars, const char *text) {
  Py_ssize_t n = PyTuple_GET_SIZE(words);
  Py_BEGIN_ALLOW_THREADS;
  for (Py_ssize_t i = 0; i < n; i++)
    if (!occurs(chars[i], text))
      chars[i] = NULL;
  Py_END_ALLOW_THREADS;
  PyObject *result = PyList_New(0);
  for (Py_ssize_t i = 0; result && i < n; i++)
    if (chars[i] && PyList_Append(result, PyTuple_GET_ITEM(words, i)) < 0)
      Py_CLEAR(result);
  return result;
}

static PyObject *find_words(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *list, *result = NULL;
  const char *text;
  if (!PyArg_ParseTuple(args, "O!s", &PyList_Type, &list, &text))
    return NULL;
  PyObject *words = PySequence_Tuple(list);
  if (!words)
    return NULL;
  Py_ssize_t n = PyTuple_GET_SIZE(words), i = 0;
  const char **chars = PyMem_Malloc((size_t)(n + 1) * sizeof *chars);
  if (!chars)
    PyErr_NoMemory();
  for (; chars && i < n; i++) {
    Py_ssize_t size;
    chars[i] = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(words, i), &size);
    if (!chars[i])
      break;
    if ((size_t)size != strlen(chars[i])) {
      PyErr_SetString(PyExc_ValueError, "null character");
      break;
    }
  }
  if (chars && i == n)
    result = chosen(words, chars, text);
  PyMem_Free(chars);
  Py_DECREF(words);
  return result;
}

static PyMethodDef methods[] = {{"find_words", find_words, METH_VARARGS, "find_words(words, text)"},
                                {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
