/* The state of the module of the patterns. */
#ifndef CAPI_STATE_H
#define CAPI_STATE_H

#include <Python.h>

/* The module's objects, one set for each interpreter: none is a global variable. */
typedef struct {
  PyObject *keyword_names[3];                /* for keywords */
  PyObject *dlpack_names;                    /* dlpack_in, tensor_in, tensor_out */
  PyTypeObject *Point, *Counter, *Countdown; /* struct_in, Counter, countdown */
  PyObject *PatternError;                    /* error_fields */
} State;

#endif
