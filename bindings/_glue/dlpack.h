/* DLPack for code in C and C++: the doubles of a tensor of any library, and a new tensor of it.
 *
 * The structures are as in DLPack 1.3, with its names. Every library has __dlpack__. The types of
 * some, as torch's since 2.10, have __dlpack_c_exchange_api__ too: functions without Python. */
#ifndef COOKBOOK_DLPACK_H
#define COOKBOOK_DLPACK_H

#include <Python.h>

#include "cookbook.h"

/* ---- structures -------------------------------------------------------------------------- */

enum { DL_MAJOR = 1, DL_CPU = 1, DL_FLOAT = 2 };

typedef struct {
  void *data;
  int32_t device_type, device_id;
  int32_t ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides; /* in items; before DLPack 1.2, NULL if C-contiguous */
  uint64_t byte_offset;
} DLTensor; /* in a capsule named "dltensor", before DLPack 1.0 */

typedef struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *);
  uint64_t flags; /* 1: read-only */
  DLTensor dl_tensor;
} DLManagedTensorVersioned; /* in a capsule named "dltensor_versioned" */

typedef void DLPackSetError(void *context, const char *kind, const char *message);

typedef struct {
  uint32_t major, minor;
  void *prev_api; /* of an older version */
  int (*managed_tensor_allocator)(DLTensor *, DLManagedTensorVersioned **, void *,
                                  DLPackSetError *);
  int (*managed_tensor_from_py_object_no_sync)(void *, DLManagedTensorVersioned **);
  int (*managed_tensor_to_py_object_no_sync)(DLManagedTensorVersioned *, void **);
  int (*dltensor_from_py_object_no_sync)(void *, DLTensor *); /* may be NULL */
  int (*current_work_stream)(int32_t, int32_t, void **);
} DLPackExchangeAPI; /* in a capsule named "dlpack_exchange_api" */

static inline void *dlpack_open(PyObject *capsule, const char *name) {
  return PyCapsule_IsValid(capsule, name) ? PyCapsule_GetPointer(capsule, name) : NULL;
}

/* Return a new tuple of what the functions below need, which is made once. */
static inline PyObject *dlpack_names(void) {
  return Py_BuildValue("(NNNN(s)(ii))", PyUnicode_InternFromString("__dlpack_c_exchange_api__"),
                       PyUnicode_InternFromString("requires_grad"),
                       PyUnicode_InternFromString("is_neg"),
                       PyUnicode_InternFromString("__dlpack__"), "max_version", DL_MAJOR, 0);
}
enum { EXCHANGE_API, REQUIRES_GRAD, IS_NEG, DLPACK, MAX_VERSION, NEWEST };

/* ---- in ---------------------------------------------------------------------------------- */

/* A tensor's doubles, until the owner, a capsule or NULL, is released or the tensor changes. */
typedef struct {
  const double *data;
  size_t size;
  PyObject *owner;
} DLPackDoubles;

/* Find the doubles of a vector. Return -1 with an exception set if it is not one. */
static inline int dlpack_vector(const DLTensor *tensor, DLPackDoubles *found) {
  static const char *const kinds[] = {"int",    "uint",    "float", "opaque",
                                      "bfloat", "complex", "bool"};
  uint64_t n = tensor->ndim == 1 && tensor->shape ? (uint64_t)tensor->shape[0] : UINT64_MAX;
  uintptr_t address = (uintptr_t)tensor->data + (uintptr_t)tensor->byte_offset;
  if (tensor->code != DL_FLOAT || tensor->bits != 64 || tensor->lanes != 1)
    PyErr_Format(PyExc_TypeError, "values must be float64, not %s%d%s",
                 tensor->code < 7 ? kinds[tensor->code] : "small float ", tensor->bits,
                 tensor->lanes == 1 ? "" : " in lanes");
  else if (tensor->device_type != DL_CPU)
    PyErr_Format(PyExc_ValueError, "values must be on the CPU, not DLPack's device %d (2 is CUDA)",
                 tensor->device_type);
  else if (n > PTRDIFF_MAX / sizeof(double) || /* or negative */
           (n > 1 && tensor->strides && tensor->strides[0] != 1) ||
           (n > 0 && (!tensor->data || address % sizeof(double) != 0)))
    PyErr_SetString(PyExc_ValueError,
                    "values must be one-dimensional, contiguous, aligned and in memory");
  else {
    found->data = (const double *)address;
    found->size = (size_t)n;
    found->owner = NULL;
    return 0;
  }
  return -1;
}

/* Borrow a vector of doubles by __dlpack__: the owner is a capsule, which frees the tensor when it
 * dies. Return -1 with an exception set, and borrow nothing, if there is no such vector. */
static inline int dlpack_borrow(PyObject *names, PyObject *values, DLPackDoubles *found) {
  PyObject *method = PyObject_GetAttr(values, PyTuple_GET_ITEM(names, DLPACK));
  if (!method && PyErr_ExceptionMatches(PyExc_AttributeError))
    PyErr_Format(PyExc_TypeError, "values must have __dlpack__, which %s does not have",
                 Py_TYPE(values)->tp_name);
  if (!method)
    return -1;
  PyObject *newest = PyTuple_GET_ITEM(names, NEWEST);
  PyObject *capsule = PyObject_Vectorcall(method, &newest, 0, PyTuple_GET_ITEM(names, MAX_VERSION));
  if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError)) { /* an exporter without versions */
    PyErr_Clear();
    capsule = PyObject_CallNoArgs(method);
  }
  Py_DECREF(method);
  if (!capsule)
    return -1;
  const DLTensor *tensor = (DLTensor *)dlpack_open(capsule, "dltensor");
  const DLManagedTensorVersioned *versioned =
      (DLManagedTensorVersioned *)dlpack_open(capsule, "dltensor_versioned");
  if (versioned && versioned->major == DL_MAJOR)
    tensor = &versioned->dl_tensor;
  if (!tensor)
    PyErr_SetString(PyExc_TypeError, "values.__dlpack__() must return a new capsule of DLPack 1");
  else if (dlpack_vector(tensor, found) == 0) {
    found->owner = capsule;
    return 0;
  }
  Py_DECREF(capsule);
  return -1;
}

/* Add the doubles up, and release their owner. */
static inline double dlpack_sum(DLPackDoubles values) {
  double sum = ck_sum_floats(values.data, values.size);
  Py_XDECREF(values.owner);
  return sum;
}

/* Return the API of an object's type. NULL without an exception means that it has none. */
static inline const DLPackExchangeAPI *dlpack_api(PyObject *names, PyObject *object) {
  if (PyObject_CheckBuffer(object)) /* NumPy's: a missing attribute costs more than __dlpack__ */
    return NULL;
  PyObject *type = (PyObject *)Py_TYPE(object);
  PyObject *capsule = PyObject_GetAttr(type, PyTuple_GET_ITEM(names, EXCHANGE_API));
  if (!capsule) {
    if (PyErr_ExceptionMatches(PyExc_AttributeError))
      PyErr_Clear();
    return NULL;
  }
  const DLPackExchangeAPI *api = (DLPackExchangeAPI *)dlpack_open(capsule, "dlpack_exchange_api");
  Py_DECREF(capsule); /* the library keeps the API as long as the process lives */
  return api && api->major == DL_MAJOR && api->managed_tensor_to_py_object_no_sync ? api : NULL;
}

/* Return the truth of an answer, which is stolen: 0 if the attribute is missing, -1 on failure. */
static inline int dlpack_truth(PyObject *answer) {
  int truth = answer ? PyObject_IsTrue(answer) : -1;
  if (!answer && PyErr_ExceptionMatches(PyExc_AttributeError)) {
    PyErr_Clear();
    truth = 0;
  }
  Py_XDECREF(answer);
  return truth;
}

/* Borrow as dlpack_borrow does, by the exchange API if there is one, which allocates nothing. It
 * exports what torch's __dlpack__ refuses in clear words, and it does not say if a view negates;
 * such a view of more than one item has gaps. */
static inline int dlpack_view(PyObject *names, PyObject *values, DLPackDoubles *found) {
  const DLPackExchangeAPI *api = dlpack_api(names, values);
  if (!api || !api->dltensor_from_py_object_no_sync)
    return PyErr_Occurred() ? -1 : dlpack_borrow(names, values, found);
  DLTensor tensor;
  int special = dlpack_truth(PyObject_GetAttr(values, PyTuple_GET_ITEM(names, REQUIRES_GRAD)));
  if (special < 0)
    return -1;
  if (special || api->dltensor_from_py_object_no_sync(values, &tensor) != 0) {
    PyErr_Clear();
    return dlpack_borrow(names, values, found);
  }
  if (dlpack_vector(&tensor, found) < 0 || found->size != 1)
    return PyErr_Occurred() ? -1 : 0;
  special = dlpack_truth(PyObject_CallMethodNoArgs(values, PyTuple_GET_ITEM(names, IS_NEG)));
  if (special > 0)
    PyErr_SetString(PyExc_ValueError, "values must not be a view that negates: call resolve_neg()");
  if (special || api->dltensor_from_py_object_no_sync(values, &tensor) != 0)
    return -1;
  return dlpack_vector(&tensor, found); /* anew, since Python code may have run */
}

/* ---- out --------------------------------------------------------------------------------- */

static inline void dlpack_set_error(void *Py_UNUSED(context), const char *kind,
                                    const char *message) {
  PyErr_SetString(strcmp(kind, "MemoryError") ? PyExc_RuntimeError : PyExc_MemoryError, message);
}

/* Return a new tensor of n doubles, which `fill` writes, of the library of another: by its exchange
 * API, or made of a NumPy array. Return NULL with an exception set on failure. */
static inline PyObject *dlpack_new(PyObject *names, PyObject *like, Py_ssize_t n,
                                   void (*fill)(double *, size_t)) {
  const DLPackExchangeAPI *api = dlpack_api(names, like);
  if (!api) {
    PyObject *numpy = PyErr_Occurred() ? NULL : PyImport_ImportModule("numpy"), *made = NULL;
    PyObject *glue = numpy ? PyImport_ImportModule("ffi_cookbook.bindings._glue.arrays") : NULL;
    PyObject *array = glue ? PyObject_CallMethod(numpy, "empty", "n", n) : NULL;
    Py_buffer view;
    if (array && PyObject_GetBuffer(array, &view, PyBUF_WRITABLE) == 0) {
      fill((double *)view.buf, (size_t)n);
      PyBuffer_Release(&view);
      made = PyObject_CallMethod(glue, "tensor_like", "OO", like, array);
    }
    Py_XDECREF(array);
    Py_XDECREF(glue);
    Py_XDECREF(numpy);
    return made;
  }
  if (n < 0)
    return PyErr_Format(PyExc_ValueError, "n must be at least 0, not %zd", n);
  int64_t shape = n, stride = 1;
  DLTensor prototype = {NULL, DL_CPU, 0, 1, DL_FLOAT, 64, 1, &shape, &stride, 0};
  DLManagedTensorVersioned *managed = NULL;
  DLPackDoubles doubles;
  void *tensor = NULL;
  if (api->managed_tensor_allocator(&prototype, &managed, NULL, dlpack_set_error) != 0)
    managed = NULL;
  if (managed && dlpack_vector(&managed->dl_tensor, &doubles) == 0) {
    fill((double *)doubles.data, doubles.size);
    api->managed_tensor_to_py_object_no_sync(managed, &tensor);
  } else if (managed && managed->deleter)
    managed->deleter(managed);
  if (!tensor && !PyErr_Occurred())
    PyErr_SetString(PyExc_RuntimeError, "the library of `like` made no tensor");
  return (PyObject *)tensor;
}

#endif
