/* The lock of an object. */
#ifndef CAPI_LOCK_H
#define CAPI_LOCK_H

#include <Python.h>

/* The lock of one object. With the GIL it does nothing: the GIL locks all objects. */
#ifndef Py_BEGIN_CRITICAL_SECTION
#define Py_BEGIN_CRITICAL_SECTION(object) {
#define Py_END_CRITICAL_SECTION() }
#endif

#endif
