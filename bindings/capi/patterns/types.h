/* Shared by objects.c and counter.c: how a plain type is made. */
#pragma once

#include <Python.h>
#include <stddef.h>
#if PY_VERSION_HEX < 0x030C0000 /* later versions define these in Python.h */
#include <structmember.h>
#define Py_T_DOUBLE T_DOUBLE
#define Py_READONLY READONLY
#endif

/* Only tp_vectorcall and our functions make instances; a type has no subclasses or changes. */
#define PLAIN_TYPE                                                                                 \
  (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION)

/* Free an instance that holds no object except its type. */
static void dealloc_plain(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

/* The method __reduce__ of types that cannot be pickled or copied. Without it pickle accepts any
 * type under protocols 0 and 1, and writes data that cannot be read. */
static PyObject *refuse_pickle(PyObject *self, PyObject *Py_UNUSED(none)) {
  return PyErr_Format(PyExc_TypeError, "cannot pickle '%s' object", Py_TYPE(self)->tp_name);
}

#define REFUSE_PICKLE {"__reduce__", refuse_pickle, METH_NOARGS, "Raises TypeError."}

/* tp_vectorcall takes the arguments as the caller has them, where tp_new takes a tuple; without
 * tp_new it is also the only way to make an instance. Before Python 3.14 it has no slot. */
static PyTypeObject *new_type(PyObject *module, PyType_Spec *type_spec,
                              vectorcallfunc constructor) {
  PyTypeObject *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, type_spec, NULL);
  if (type)
    type->tp_vectorcall = constructor;
  return type;
}
