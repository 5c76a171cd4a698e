/* What objects.c and counter.c share: how a plain type is made. */
#ifndef CAPI_TYPES_H
#define CAPI_TYPES_H

#include "patterns.h"
#include <stddef.h>
#include <structmember.h>

/* Instances come only from tp_vectorcall or from functions of ours; no subclasses, no changes. */
#define PLAIN_TYPE                                                                                 \
  (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION)

/* Frees an instance that holds no objects but its type. */
void dealloc_plain(PyObject *self);

/* The method __reduce__ of types that cannot be pickled or copied. Without it pickle takes protocols
 * 0 and 1 to do for any type, and what it writes cannot be read. */
PyObject *refuse_pickle(PyObject *self, PyObject *none);
#define REFUSE_PICKLE {"__reduce__", refuse_pickle, METH_NOARGS, "Raises TypeError."}

/* A new type, or NULL with an exception set. */
PyTypeObject *new_type(PyObject *module, PyType_Spec *spec, vectorcallfunc constructor);

int add_counter(PyObject *module, State *state);

#endif
