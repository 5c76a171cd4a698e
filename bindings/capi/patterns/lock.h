/* The lock of an object. With the GIL it does nothing: the GIL locks all objects. */
#pragma once

#include <Python.h>

#ifndef Py_BEGIN_CRITICAL_SECTION
#define Py_BEGIN_CRITICAL_SECTION(object) {
#define Py_END_CRITICAL_SECTION() }
#endif
