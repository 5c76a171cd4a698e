/* Find and fix the bugs: borrowed references, and a released GIL.
 *
 *   >>> exercise.find_words(["sun", "moon"], "the moon is full")
 *   ['moon']
 *
 * find_words(words, text) returns a list of the words that occur in the text. The search of words.h
 * takes long, so it runs without the GIL, and that is right. The rest works as long as no other
 * thread touches the list. There are four bugs. Keep the search without the GIL.
 *
 * A word that another thread adds to the list or removes from it meanwhile may or may not be in the
 * result. An item that is not a str raises TypeError; one with a null character raises ValueError.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "words.h"
// BEGIN SOLUTION
#include <string.h>

/* Append the word if it occurs. Return 0, or -1 with an exception set. */
static int add_if_found(PyObject *result, PyObject *word, const char *text) {
  Py_ssize_t size;
  const char *chars = PyUnicode_AsUTF8AndSize(word, &size);
  if (!chars)
    return -1;
  if (strlen(chars) != (size_t)size) {
    PyErr_SetString(PyExc_ValueError, "a word must not have a null character in it");
    return -1;
  }
  int found;
  Py_BEGIN_ALLOW_THREADS;
  found = occurs(chars, text);
  Py_END_ALLOW_THREADS;
  return found ? PyList_Append(result, word) : 0;
}
// END SOLUTION

static PyObject *find_words(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *words;
  const char *text;
  if (!PyArg_ParseTuple(args, "O!s", &PyList_Type, &words, &text))
    return NULL;
  PyObject *result = PyList_New(0);
  if (!result)
    return NULL;
  //: Py_ssize_t n = PyList_GET_SIZE(words);
  //: for (Py_ssize_t i = 0; i < n; i++) {
  //:   PyObject *word = PyList_GET_ITEM(words, i);
  //:   const char *chars = PyUnicode_AsUTF8AndSize(word, NULL);
  //:   Py_BEGIN_ALLOW_THREADS;
  //:   if (occurs(chars, text))
  //:     PyList_Append(result, word);
  //:   Py_END_ALLOW_THREADS;
  // BEGIN SOLUTION
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(words); i++) {
    PyObject *word = Py_NewRef(PyList_GET_ITEM(words, i));
    int failed = add_if_found(result, word, text);
    Py_DECREF(word);
    if (failed) {
      Py_DECREF(result);
      return NULL;
    }
    // END SOLUTION
  }
  return result;
}

static PyMethodDef methods[] = {{"find_words", find_words, METH_VARARGS, "find_words(words, text)"},
                                {0}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
