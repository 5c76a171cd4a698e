#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include "native/smooth.h"

static PyObject *raise_error(int code) {
  if (code == SMOOTH_MEMORY)
    return PyErr_NoMemory();
  PyErr_SetString(PyExc_ValueError, smooth_message(code));
  return NULL; /* NULL says that an exception is set */
}

/* Return a new reference to an array of doubles in one dimension: the object itself, or a copy. */
static PyArrayObject *doubles(PyObject *object) {
  PyObject *array = PyArray_FROM_O(object); /* for doubles NumPy would read a list's text too */
  if (array == NULL)
    return NULL;
  PyObject *x = PyArray_FROMANY(array, NPY_DOUBLE, 1, 1, NPY_ARRAY_CARRAY_RO);
  Py_DECREF(array);
  return (PyArrayObject *)x;
}

/* Return the result `y`, or release it if the library returned an error. */
static PyObject *checked(int code, PyArrayObject *y) {
  if (code == SMOOTH_OK)
    return (PyObject *)y;
  Py_XDECREF(y);
  return raise_error(code);
}

static PyObject *ema(PyObject *Py_UNUSED(module), PyObject *args) {
  PyObject *object;
  double alpha; /* converted before the array is read: a __float__ may change it */
  if (!PyArg_ParseTuple(args, "Od:ema", &object, &alpha))
    return NULL;
  PyArrayObject *x = doubles(object);
  if (x == NULL)
    return NULL;
  PyArrayObject *y = (PyArrayObject *)PyArray_SimpleNew(1, PyArray_DIMS(x), NPY_DOUBLE);
  int code = y ? smooth_ema(alpha, PyArray_DATA(x), PyArray_DATA(y), (size_t)PyArray_SIZE(x))
               : SMOOTH_MEMORY;
  Py_DECREF(x);
  return checked(code, y);
}

static PyObject *crc32(PyObject *Py_UNUSED(module), PyObject *data) {
  Py_buffer view;
  if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) < 0)
    return NULL;
  uint32_t crc;
  Py_BEGIN_ALLOW_THREADS
  crc = smooth_crc32(view.buf, (size_t)view.len);
  Py_END_ALLOW_THREADS
  PyBuffer_Release(&view);
  return PyLong_FromUnsignedLong(crc);
}

typedef struct {
  PyObject_HEAD
  smooth_average *handle;
} Average;

static PyObject *average_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  double alpha;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "d", (char *[]){"alpha", NULL}, &alpha))
    return NULL;
  Average *self = (Average *)type->tp_alloc(type, 0); /* its fields are zero */
  int code = self ? smooth_create(alpha, &self->handle) : SMOOTH_OK;
  if (code == SMOOTH_OK)
    return (PyObject *)self;
  Py_DECREF(self); /* calls average_dealloc */
  return raise_error(code);
}

/* An instance holds its type, which holds the module: if the module can reach the instance, only the
 * garbage collector frees them. */
static int average_traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  return 0;
}

static void average_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  smooth_free(((Average *)self)->handle);
  type->tp_free(self);
  Py_DECREF(type); /* an instance of a heap type owns a reference to its type */
}

static PyObject *average_update(PyObject *self, PyObject *object) {
  PyArrayObject *x = doubles(object);
  if (x == NULL)
    return NULL;
  PyArrayObject *y = (PyArrayObject *)PyArray_SimpleNew(1, PyArray_DIMS(x), NPY_DOUBLE);
  int code = y ? smooth_update(((Average *)self)->handle, PyArray_DATA(x), PyArray_DATA(y),
                               (size_t)PyArray_SIZE(x))
               : SMOOTH_MEMORY;
  Py_DECREF(x);
  return checked(code, y);
}

static PyMethodDef methods[] = {
    {"update", average_update, METH_O, "Feed an array and return the average after each value."},
    {0}};
static PyType_Slot slots[] = {{Py_tp_new, average_new},
                              {Py_tp_traverse, average_traverse},
                              {Py_tp_dealloc, average_dealloc},
                              {Py_tp_methods, methods},
                              {0}};
static PyType_Spec spec = {"smooth.Average", sizeof(Average), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};

static int module_exec(PyObject *module) {
  if (PyArray_ImportNumPyAPI() < 0)
    return -1;
  PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
  int status = PyModule_AddObjectRef(module, "Average", type); /* fails if type is NULL */
  Py_XDECREF(type);
  return status;
}

static PyMethodDef functions[] = {
    {"ema", ema, METH_VARARGS, "ema(x, alpha, /)\n--\n\nReturn the exponential moving average."},
    {"crc32", crc32, METH_O, "Return the CRC-32 of a bytes-like object."},
    {0}};
static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, module_exec}, {0}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "smooth", .m_methods = functions,
                             .m_slots = module_slots};

PyMODINIT_FUNC PyInit_smooth(void) { return PyModuleDef_Init(&module); }
