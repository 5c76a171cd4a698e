/* DLPack for code in C and C++: the doubles of a tensor of any library, and a new tensor of it.
 *
 * The structures are as in DLPack 1.3, with its names. Every library has __dlpack__. The types of
 * some, as torch's since 2.10, have __dlpack_c_exchange_api__ too: functions without Python. */
#ifndef COOKBOOK_DLPACK_H
#define COOKBOOK_DLPACK_H

#include <Python.h>

#include <stdint.h>
#include <string.h>

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
} DLTensor; /* in a capsule named "dltensor", with the fields of before DLPack 1.0 after it */

typedef struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *);
  uint64_t flags; /* 1: read-only */
  DLTensor dl_tensor;
} DLManagedTensorVersioned; /* in a capsule named "dltensor_versioned" */

typedef void DLPackSetError(void *context, const char *kind, const char *message);

typedef struct DLPackExchangeAPI {
  uint32_t major, minor;
  struct DLPackExchangeAPI *prev_api; /* an older version, or NULL */
  int (*managed_tensor_allocator)(DLTensor *, DLManagedTensorVersioned **, void *, DLPackSetError *);
  int (*managed_tensor_from_py_object_no_sync)(void *, DLManagedTensorVersioned **);
  int (*managed_tensor_to_py_object_no_sync)(DLManagedTensorVersioned *, void **);
  int (*dltensor_from_py_object_no_sync)(void *, DLTensor *); /* may be NULL */
  int (*current_work_stream)(int32_t, int32_t, void **);
} DLPackExchangeAPI; /* in a capsule named "dlpack_exchange_api" */

static inline void *dlpack_open(PyObject *capsule, const char *name) {
  return PyCapsule_IsValid(capsule, name) ? PyCapsule_GetPointer(capsule, name) : NULL;
}

/* ---- names ------------------------------------------------------------------------------- */

enum { EXCHANGE_API, REQUIRES_GRAD, IS_NEG, DLPACK, MAX_VERSION, NEWEST, DLPACK_NAMES };

/* Make the objects that the functions below need, for one interpreter. Return -1 on failure. */
static inline int dlpack_names(PyObject *names[DLPACK_NAMES]) {
  static const char *const texts[] = {"__dlpack_c_exchange_api__", "requires_grad", "is_neg",
                                      "__dlpack__"};
  for (int i = 0; i < MAX_VERSION; i++)
    names[i] = PyUnicode_InternFromString(texts[i]);
  names[MAX_VERSION] = Py_BuildValue("(s)", "max_version");
  names[NEWEST] = Py_BuildValue("(ii)", DL_MAJOR, 0);
  return PyErr_Occurred() ? -1 : 0;
}

/* ---- borrowed ---------------------------------------------------------------------------- */

/* A tensor's doubles, until the owner, a capsule or NULL, is released or the tensor changes. */
typedef struct {
  const double *data;
  size_t size;
  PyObject *owner;
} DLPackDoubles;

/* Find the doubles of a vector. Return -1 with an exception set if it is not one. */
static inline int dlpack_vector(const DLTensor *tensor, DLPackDoubles *found) {
  static const char *const kinds[] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  uint8_t code = tensor->code;
  uint64_t n = tensor->ndim == 1 && tensor->shape ? (uint64_t)tensor->shape[0] : 0;
  uintptr_t address = (uintptr_t)tensor->data + (uintptr_t)tensor->byte_offset;
  if (code != DL_FLOAT || tensor->bits != 64 || tensor->lanes != 1)
    PyErr_Format(PyExc_TypeError, "values must be float64, not %s%d in lanes of %d",
                 code < 7 ? kinds[code] : "small float ", tensor->bits, tensor->lanes);
  else if (tensor->device_type != DL_CPU)
    PyErr_Format(PyExc_ValueError, "values must be on the CPU, not DLPack's device %d (2 is CUDA)",
                 tensor->device_type);
  else if (tensor->ndim != 1 || !tensor->shape)
    PyErr_Format(PyExc_ValueError, "values must have one dimension, not %d", tensor->ndim);
  else if (n > 1 && tensor->strides && tensor->strides[0] != 1)
    PyErr_Format(PyExc_ValueError, "values must be contiguous, not of stride %lld",
                 (long long)tensor->strides[0]);
  else if (n > PTRDIFF_MAX / sizeof(double) /* or negative */ ||
           (n > 0 && (!tensor->data || address % sizeof(double) != 0)))
    PyErr_Format(PyExc_ValueError, "values must lie in memory, aligned, not %lld items at %p",
                 (long long)n, (void *)address);
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
static inline int dlpack_borrow(PyObject *const *names, PyObject *values, DLPackDoubles *found) {
  PyObject *method = PyObject_GetAttr(values, names[DLPACK]), *capsule;
  if (!method) {
    if (PyErr_ExceptionMatches(PyExc_AttributeError))
      PyErr_Format(PyExc_TypeError, "values must have __dlpack__, which %s does not have",
                   Py_TYPE(values)->tp_name);
    return -1;
  }
  capsule = PyObject_Vectorcall(method, &names[NEWEST], 0, names[MAX_VERSION]);
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

/* ---- the exchange API -------------------------------------------------------------------- */

/* Return the API of an object's type. NULL without an exception means that it has none. */
static inline const DLPackExchangeAPI *dlpack_api(PyObject *const *names, PyObject *object) {
  PyObject *type = (PyObject *)Py_TYPE(object), *capsule;
#if PY_VERSION_HEX >= 0x030D0000
  if (PyObject_GetOptionalAttr(type, names[EXCHANGE_API], &capsule) <= 0)
    return NULL;
#else
  if (PyObject_CheckBuffer(object)) /* NumPy's: a missing attribute costs more than __dlpack__ */
    return NULL;
  if (!(capsule = PyObject_GetAttr(type, names[EXCHANGE_API]))) {
    if (PyErr_ExceptionMatches(PyExc_AttributeError))
      PyErr_Clear();
    return NULL;
  }
#endif
  const DLPackExchangeAPI *api = (DLPackExchangeAPI *)dlpack_open(capsule, "dlpack_exchange_api");
  Py_DECREF(capsule); /* the library keeps the API as long as the process lives */
  while (api && api->major > DL_MAJOR)
    api = api->prev_api;
  return api && api->managed_tensor_allocator && api->managed_tensor_to_py_object_no_sync ? api
                                                                                          : NULL;
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
 * exports some tensors that torch's __dlpack__ refuses, and it does not say if a view negates. */
static inline int dlpack_view(PyObject *const *names, PyObject *values, DLPackDoubles *found) {
  const DLPackExchangeAPI *api = dlpack_api(names, values);
  if (!api || !api->dltensor_from_py_object_no_sync)
    return PyErr_Occurred() ? -1 : dlpack_borrow(names, values, found);
  DLTensor tensor;
  int special = dlpack_truth(PyObject_GetAttr(values, names[REQUIRES_GRAD]));
  if (special < 0)
    return -1;
  if (special || api->dltensor_from_py_object_no_sync(values, &tensor) != 0) {
    PyErr_Clear(); /* the words of __dlpack__ are clearer */
    return dlpack_borrow(names, values, found);
  }
  if (dlpack_vector(&tensor, found) < 0 || found->size != 1) /* a longer one would have gaps */
    return PyErr_Occurred() ? -1 : 0;
  special = dlpack_truth(PyObject_CallMethodNoArgs(values, names[IS_NEG])); /* may run Python */
  if (special > 0)
    PyErr_SetString(PyExc_ValueError, "values must not be a view that negates: call resolve_neg()");
  if (special || api->dltensor_from_py_object_no_sync(values, &tensor) != 0)
    return -1;
  return dlpack_vector(&tensor, found);
}

static inline void dlpack_set_error(void *context, const char *kind, const char *message) {
  (void)context;
  PyErr_SetString(strcmp(kind, "MemoryError") ? PyExc_RuntimeError : PyExc_MemoryError, message);
}

/* Return a new tensor of n doubles, which `fill` writes, or NULL with an exception set. */
static inline PyObject *dlpack_new(const DLPackExchangeAPI *api, int64_t n,
                                   void (*fill)(double *, size_t)) {
  int64_t stride = 1;
  DLTensor like = {NULL, DL_CPU, 0, 1, DL_FLOAT, 64, 1, &n, &stride, 0};
  DLManagedTensorVersioned *made = NULL;
  DLPackDoubles doubles;
  void *tensor = NULL;
  if (n < 0)
    return PyErr_Format(PyExc_ValueError, "n must be at least 0, not %lld", (long long)n);
  if (api->managed_tensor_allocator(&like, &made, NULL, dlpack_set_error) != 0)
    made = NULL;
  if (made && dlpack_vector(&made->dl_tensor, &doubles) == 0 && doubles.size == (size_t)n) {
    fill((double *)doubles.data, doubles.size);
    api->managed_tensor_to_py_object_no_sync(made, &tensor);
  } else if (made && made->deleter)
    made->deleter(made);
  if (!tensor && !PyErr_Occurred())
    PyErr_SetString(PyExc_RuntimeError, "the library of `like` made no tensor");
  return (PyObject *)tensor;
}

/* Return a NumPy array, which is stolen, as a tensor of a library without the exchange API. */
static inline PyObject *dlpack_converted(PyObject *like, PyObject *array) {
  PyObject *module = array ? PyImport_ImportModule("ffi_cookbook.bindings._glue.arrays") : NULL;
  PyObject *tensor = module ? PyObject_CallMethod(module, "tensor_like", "OO", like, array) : NULL;
  Py_XDECREF(module);
  Py_XDECREF(array);
  return tensor;
}

#endif
