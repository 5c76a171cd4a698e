/* The arguments of the tokenizer's calls through the CPython C API: text, policies, a model's
 * memory, and the time without the GIL.
 *
 * Shows:  text borrowed where it lies; an argument that only Python code understands; a call that
 *         Ctrl-C ends, with the exception of the signal's handler.
 * Bites:  a subclass of bytes can have any __len__: the macros read the object itself. Whatever can
 *         run code (special_policy) runs before memory is borrowed that such code could free. Only
 *         the main thread runs signal handlers; a daemon thread that took the GIL again while the
 *         interpreter ends would not come back.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "errors.h"
#include "tokenizer.h"
#include "type_error.h"

/* ---- arguments --------------------------------------------------------------------------- */

PyObject *asked(PyObject *model) {
  PyObject *module = PyImport_ImportModule("ffi_cookbook.bindings._glue.text");
  PyObject *answers = module ? PyObject_CallMethod(module, "asked", "O", model) : NULL;
  Py_XDECREF(module);
  return answers;
}

int check_policy(PyObject *policy, size_t n_special) {
  if (!PyBytes_Check(policy)) {
    refuse_type("a model's policy must be bytes", policy);
    return -1;
  }
  if ((size_t)PyBytes_GET_SIZE(policy) == n_special)
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
  PyErr_Clear(); /* lone surrogates: replaced as tiktoken does */
  PyObject *module = PyImport_ImportModule("ffi_cookbook.bindings._glue.surrogates");
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
  if (policy && check_policy(policy, ck_bpe_n_special(self->bpe)) < 0)
    Py_CLEAR(policy);
  return policy;
}

/* ---- signals ----------------------------------------------------------------------------- */

/* Return 1 in the thread that runs signal handlers, 0 in others, or -1 with an exception set. */
static int handles_signals(void) {
  PyObject *module = PyImport_ImportModule("ffi_cookbook.bindings._glue.signals");
  PyObject *answer = module ? PyObject_CallMethod(module, "handles_signals", NULL) : NULL;
  int yes = answer ? answer == Py_True : -1;
  Py_XDECREF(answer);
  Py_XDECREF(module);
  return yes;
}

/* Run the signal handlers; an exception that they raise stays set. */
static int ask(void *context) {
  Call *call = context;
  PyEval_RestoreThread(call->given_up);
  int raised = PyErr_CheckSignals();
  call->given_up = PyEval_SaveThread();
  return raised;
}

ck_interrupt *begin_long(Call *call, size_t size) {
  enum { LONG = 1 << 20 }; /* a shorter text takes a few milliseconds */
  int asks = size < LONG ? 0 : handles_signals();
  if (asks) /* or has failed: then there is no call */
    call->interrupt = (ck_interrupt){.ask = ask, .context = call, .ended = asks < 0};
  call->given_up = PyEval_SaveThread();
  return asks ? &call->interrupt : NULL;
}

int end_long(Call *call, const Tokenizer *self) {
  if (call->given_up)
    PyEval_RestoreThread(call->given_up);
  if (call->error.code == CK_OK)
    return 0;
  if (call->error.code != CK_INTERRUPTED) /* whose exception is set */
    raise_error("tokenizer_error", &call->error, self->names);
  return -1;
}
