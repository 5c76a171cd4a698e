/* What the text's pieces of C are compiled after. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>
