#include <Python.h>
#include <numpy/ndarraytypes.h>
#include <numpy/ufuncobject.h>

static void loop(char **data, const npy_intp *n, const npy_intp *steps, void *unused) {
  (void)unused;
  const char *in = data[0];
  char *out = data[1];
  for (npy_intp i = 0; i < n[0]; i++, in += steps[0], out += steps[1])
    *(double *)out = 2 * *(const double *)in;
}

static PyUFuncGenericFunction loops[] = {loop};
static const char types[] = {NPY_DOUBLE, NPY_DOUBLE};
static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "map_ufunc", NULL, -1, NULL, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_map_ufunc(void) {
  PyObject *m = PyModule_Create(&module);
  if (m == NULL || PyArray_ImportNumPyAPI() < 0 || PyUFunc_ImportUFuncAPI() < 0)
    return NULL;
  PyObject *doubled = PyUFunc_FromFuncAndData(loops, NULL, types, 1, 1, 1, PyUFunc_None, "doubled",
                                              "Return 2 * x.", 0);
  int failed = PyModule_AddObjectRef(m, "doubled", doubled);
  Py_XDECREF(doubled);
  return failed ? NULL : m;
}
