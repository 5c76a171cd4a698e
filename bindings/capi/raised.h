/* The exception that is set, as one object. */
#ifndef CAPI_RAISED_H
#define CAPI_RAISED_H

#include <Python.h>

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

#endif
