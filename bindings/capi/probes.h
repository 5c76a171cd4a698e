/* What the three probe pages share. */
#ifndef CAPI_PROBES_H
#define CAPI_PROBES_H

#include "common.h"

/* True when `value` is the error mark and an exception is set. */
#define FAILED(value) ((value) == -1 && PyErr_Occurred())

int add_memory_probes(PyObject *module);
int add_call_probes(PyObject *module);

#endif
