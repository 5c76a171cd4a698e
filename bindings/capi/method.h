/* The definition of a function. */
#ifndef CAPI_METHOD_H
#define CAPI_METHOD_H

#include <Python.h>

/* A function of a module; `inspect` reads its signature from the first line of the docstring. */
#define METHOD(name, flags, signature, doc)                                                        \
  {#name, (PyCFunction)(void (*)(void))name, flags, #name signature "\n--\n\n" doc}

#endif
