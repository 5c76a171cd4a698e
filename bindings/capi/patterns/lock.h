/* The lock of an object. */
#ifndef CAPI_LOCK_H
#define CAPI_LOCK_H

#include <Python.h>

/* The lock of one object, where there is no GIL to be one for all of them. */
#ifndef Py_BEGIN_CRITICAL_SECTION
#define Py_BEGIN_CRITICAL_SECTION(object) {
#define Py_END_CRITICAL_SECTION() }
#endif

#endif
