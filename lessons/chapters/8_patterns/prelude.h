/* What the text's pieces of C are compiled after. */
#define PY_SSIZE_T_CLEAN
#include "03_release/digest.h"
#include <Python.h>

/* Work by that many steps. */
void work(long steps);
