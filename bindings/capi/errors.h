/* Exceptions. */
#pragma once

#include <Python.h>

#include "cookbook.h"

/* Raise the exception that ffi_cookbook.bindings.errors.<maker>(error, context) returns. Always return NULL. */
static inline PyObject *raise_error(const char *maker, const ck_error *error, PyObject *context) {
  PyObject *module = PyImport_ImportModule("ffi_cookbook.bindings.errors");
  PyObject *exception =
      module ? PyObject_CallMethod(module, maker, "(LLLLLL)O", (long long)error->code,
                                   (long long)error->offset, (long long)error->record,
                                   (long long)error->field, (long long)error->expected,
                                   (long long)error->actual, context)
             : NULL;
  if (exception)
    PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
  Py_XDECREF(exception);
  Py_XDECREF(module);
  return NULL;
}

/* PyErr_GetRaisedException(), which exists from Python 3.12 on: clear the exception and return it. */
static inline PyObject *get_raised(void) {
#if PY_VERSION_HEX >= 0x030C0000
  return PyErr_GetRaisedException();
#else
  PyObject *type, *exception, *traceback;
  PyErr_Fetch(&type, &exception, &traceback);
  PyErr_NormalizeException(&type, &exception, &traceback);
  if (traceback)
    PyException_SetTraceback(exception, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return exception;
#endif
}
