/* The state of the module of the patterns. */
#pragma once

#include <Python.h>

/* The module's objects, one set for each interpreter: none is a global variable. */
typedef struct {
  PyObject *keyword_names[3];                /* for keywords */
  PyObject *dlpack_names;                    /* dlpack_in, tensor_in, tensor_out */
  PyTypeObject *Point, *Counter, *Countdown; /* struct_in, Counter, countdown */
  PyObject *PatternError;                    /* error_fields */
} State;
