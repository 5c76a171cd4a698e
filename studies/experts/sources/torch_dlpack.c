/* The same function for tensors of any library with DLPack's C exchange API, by DLPack's header. */
#include <Python.h>
#include <dlpack/dlpack.h>

/* Describe a tensor, which must live as long as the description is used. */
static int view(PyObject *tensor, DLTensor *found) {
  PyObject *capsule =
      PyObject_GetAttrString((PyObject *)Py_TYPE(tensor), "__dlpack_c_exchange_api__");
  if (capsule == NULL)
    return -1;
  const DLPackExchangeAPI *api = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
  Py_DECREF(capsule); /* the type keeps the API alive */
  return api == NULL ? -1 : api->dltensor_from_py_object_no_sync(tensor, found);
}

static PyObject *total(PyObject *module, PyObject *object) {
  DLTensor values;
  (void)module;
  if (view(object, &values) != 0)
    return NULL;
  if (values.device.device_type != kDLCPU || values.dtype.code != kDLFloat ||
      values.dtype.bits != 64 || values.dtype.lanes != 1 || values.ndim != 1 ||
      (values.strides != NULL && values.strides[0] != 1 && values.shape[0] > 1)) {
    PyErr_SetString(PyExc_TypeError, "expected a vector of doubles");
    return NULL;
  }
  const double *data = (const double *)((const char *)values.data + values.byte_offset);
  double sum = 0;
  for (int64_t i = 0; i < values.shape[0]; i++)
    sum += data[i];
  return PyFloat_FromDouble(sum);
}

static PyMethodDef methods[] = {{"total", total, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "torch_dlpack", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_torch_dlpack(void) { return PyModuleDef_Init(&module); }
