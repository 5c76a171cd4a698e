/* What the tokenizer's calls are given, through the CPython C API: text, policies, a model's memory.
 *
 * Shows:  text borrowed where it lies; an argument that only Python code understands.
 * Bites:  a subclass of bytes can have any __len__: the macros ask the object itself. What can run
 *         code (special_policy) is asked before anything is borrowed that it could take away.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "tokenizer.h"

PyObject *asked(PyObject *model) {
  PyObject *module = PyImport_ImportModule("bindings.texts");
  PyObject *answers = module ? PyObject_CallMethod(module, "asked", "O", model) : NULL;
  Py_XDECREF(module);
  return answers;
}

int check_policy(PyObject *policy, uint32_t n_special) {
  if (!PyBytes_Check(policy)) {
    refuse_type("a model's policy must be bytes", policy);
    return -1;
  }
  if (PyBytes_GET_SIZE(policy) == n_special)
    return 0;
  PyErr_SetString(PyExc_ValueError,
                  "a model's policy must have one byte for each of its special tokens");
  return -1;
}

const char *text_utf8(PyObject *text, Py_ssize_t *size, PyObject **owner) {
  *owner = NULL;
  if (PyBytes_Check(text)) { /* the kernel says where it is not UTF-8 */
    *size = PyBytes_GET_SIZE(text);
    return PyBytes_AS_STRING(text);
  }
  if (!PyUnicode_Check(text)) {
    refuse_type("text must be str or bytes", text);
    return NULL;
  }
  const char *data = PyUnicode_AsUTF8AndSize(text, size);
  if (data || !PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
    return data;
  PyErr_Clear(); /* lone surrogates: made whole as tiktoken does */
  PyObject *module = PyImport_ImportModule("bindings.tokenizer");
  if (module)
    *owner = PyObject_CallMethod(module, "replace_surrogates", "O", text);
  Py_XDECREF(module);
  if (*owner && !(data = PyUnicode_AsUTF8AndSize(*owner, size)))
    Py_CLEAR(*owner);
  return data;
}

PyObject *special_policy(Tokenizer *self, PyObject *allowed, PyObject *disallowed) {
  if (!allowed && !disallowed)
    return Py_NewRef(self->policy);
  PyObject *empty = allowed ? Py_NewRef(allowed) : PyTuple_New(0);
  PyObject *all = disallowed ? Py_NewRef(disallowed) : PyUnicode_FromString("all");
  PyObject *policy =
      empty && all ? PyObject_CallMethod(self->model, "special_policy", "OO", empty, all) : NULL;
  Py_XDECREF(empty);
  Py_XDECREF(all);
  if (policy && check_policy(policy, self->bpe.n_special) < 0)
    Py_CLEAR(policy);
  return policy;
}
