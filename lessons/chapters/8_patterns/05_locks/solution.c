/* Find and fix the bugs: two locks, taken in two orders.
 *
 *   >>> exercise.listen(lambda entry: print("heard", entry))
 *   >>> exercise.write("one")
 *   heard one
 *   >>> exercise.size()
 *   1
 *
 * The journal of journal.h has a lock, and calls its reader while holding it. The reader below calls
 * Python. With one thread all is well. With two, the program may hang for ever: one thread has
 * the journal's lock and wants the GIL, the other has the GIL and wants the journal's lock. Three
 * functions can run in the second thread.
 *
 * There is one more bug: the reader and listen() disagree about who owns the function.
 *
 * listen(None) ends listening. An exception in the function is raised by the write that called it.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "journal.h"

static PyObject *function; /* owned; NULL if nobody listens */

//: /* Call the function with an entry. The journal is locked here. */
//: static int call_function(const char *entry, void *Py_UNUSED(context)) {
//:   PyGILState_STATE state = PyGILState_Ensure();
//:   PyObject *answer = PyObject_CallFunction(function, "s", entry);
//:   Py_XDECREF(answer);
//:   PyGILState_Release(state);
//:   return answer ? 0 : -1;
// BEGIN SOLUTION
/* Call the function with an entry. The journal is locked here, and it is safe to wait for the GIL:
 * no thread waits for the journal while holding the GIL. */
static int call_function(const char *entry, void *Py_UNUSED(context)) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *own = Py_XNewRef(function), *answer = NULL;
  if (own)
    answer = PyObject_CallFunction(own, "s", entry);
  int failed = own && !answer;
  Py_XDECREF(answer);
  Py_XDECREF(own);
  PyGILState_Release(state);
  return failed ? -1 : 0;
  // END SOLUTION
}

static PyObject *listen_to(PyObject *Py_UNUSED(module), PyObject *new_function) {
  //: Py_XDECREF(function);
  //: function = new_function == Py_None ? NULL : Py_NewRef(new_function);
  //: journal_listen(function ? call_function : NULL, NULL);
  // BEGIN SOLUTION
  PyObject *old = function;
  function = new_function == Py_None ? NULL : Py_NewRef(new_function);
  journal_reader reader = function ? call_function : NULL;
  Py_BEGIN_ALLOW_THREADS;
  journal_listen(reader, NULL);
  Py_END_ALLOW_THREADS;
  Py_XDECREF(old);
  // END SOLUTION
  Py_RETURN_NONE;
}

static PyObject *write_entry(PyObject *Py_UNUSED(module), PyObject *entry) {
  const char *text = PyUnicode_AsUTF8(entry);
  if (!text)
    return NULL;
  //: if (journal_write(text) < 0)
  //:   return NULL;
  // BEGIN SOLUTION
  int failed;
  Py_BEGIN_ALLOW_THREADS;
  failed = journal_write(text);
  Py_END_ALLOW_THREADS;
  if (failed)
    return NULL; /* the function has set the exception, in this thread */
  // END SOLUTION
  Py_RETURN_NONE;
}

static PyObject *size_of(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused)) {
  //: return PyLong_FromLong(journal_size());
  // BEGIN SOLUTION
  long size;
  Py_BEGIN_ALLOW_THREADS;
  size = journal_size();
  Py_END_ALLOW_THREADS;
  return PyLong_FromLong(size);
  // END SOLUTION
}

static PyMethodDef methods[] = {
    {"listen", listen_to, METH_O, "listen(function)"},
    {"write", write_entry, METH_O, "write(entry)"},
    {"size", size_of, METH_NOARGS, "size()"},
    {0},
};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "exercise", NULL, 0, methods};

PyMODINIT_FUNC PyInit_exercise(void) { return PyModuleDef_Init(&definition); }
