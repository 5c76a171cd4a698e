/* DLPack through the CPython C API: a tensor of any library, by hand.
 *
 * Shows:  the structures of the ABI, as far as a reader needs them; a capsule requested, opened and
 *         used up.
 * Build:  see module.c, for all pages.
 * Bites:  a capsule frees its tensor when it dies, unless it was renamed to "used_..." before. */
#include <Python.h>
#include <stdalign.h>

#include "../errors.h"
#include "../module.h"
#include "cookbook.h"
#include "state.h"

/* ---- structures -------------------------------------------------------------------------- */

enum { MAJOR = 1, CPU = 1, FLOAT = 2 };

typedef struct {
  void *data;
  struct {
    int32_t type, id;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t *shape, *strides; /* in items; NULL if C-contiguous */
  uint64_t byte_offset;
} Tensor;

typedef struct ManagedTensor { /* in a capsule named "dltensor" */
  Tensor tensor;
  void *context;
  void (*deleter)(struct ManagedTensor *);
} ManagedTensor;

typedef struct VersionedTensor { /* in a capsule named "dltensor_versioned" */
  struct {
    uint32_t major, minor;
  } version;
  void *context;
  void (*deleter)(struct VersionedTensor *);
  uint64_t flags; /* 1: read-only. The next field exists only in our major version */
  Tensor tensor;
} VersionedTensor;

/* ---- capsule ----------------------------------------------------------------------------- */

/* Intern the names that a call of __dlpack__ needs, when the module is made. */
static int add_dlpack_names(PyObject *Py_UNUSED(module), State *state) {
  state->dlpack = PyUnicode_InternFromString("__dlpack__");
  state->dlpack_keywords = Py_BuildValue("(s)", "max_version");
  state->dlpack_version = Py_BuildValue("(ii)", 1, 0);
  return state->dlpack && state->dlpack_keywords && state->dlpack_version ? 0 : -1;
}

/* Return a new capsule from values.__dlpack__(), or NULL with an exception set. */
static PyObject *dlpack_capsule(State *state, PyObject *values) {
  PyObject *args[] = {values, state->dlpack_version};
  PyObject *capsule = PyObject_VectorcallMethod(state->dlpack, args, 1, state->dlpack_keywords);
  if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError)) { /* an exporter without versions */
    PyErr_Clear();
    capsule = PyObject_CallMethodNoArgs(values, state->dlpack);
  }
  if (!capsule && PyErr_ExceptionMatches(PyExc_AttributeError)) {
    PyObject *error = get_raised();
    if (PyObject_HasAttr((PyObject *)Py_TYPE(values), state->dlpack)) /* and raised it */
      PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    else
      PyErr_Format(PyExc_TypeError, "values must have __dlpack__, which %s does not have",
                   Py_TYPE(values)->tp_name);
    Py_DECREF(error);
  }
  return capsule;
}

static const Tensor *open_capsule(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    VersionedTensor *versioned = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    return versioned->version.major == MAJOR ? &versioned->tensor : NULL;
  }
  if (PyCapsule_IsValid(capsule, "dltensor"))
    return &((ManagedTensor *)PyCapsule_GetPointer(capsule, "dltensor"))->tensor;
  return NULL;
}

/* Free the tensor that dlpack_floats has found. */
static void dlpack_release(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    VersionedTensor *versioned = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    PyCapsule_SetName(capsule, "used_dltensor_versioned");
    if (versioned->deleter)
      versioned->deleter(versioned);
  } else {
    ManagedTensor *managed = PyCapsule_GetPointer(capsule, "dltensor");
    PyCapsule_SetName(capsule, "used_dltensor");
    if (managed->deleter)
      managed->deleter(managed);
  }
}

/* ---- tensor ------------------------------------------------------------------------------ */

static int is_float64(const Tensor *tensor) {
  return tensor->dtype.code == FLOAT && tensor->dtype.bits == 64 && tensor->dtype.lanes == 1;
}

static int is_vector(const Tensor *tensor) { /* a single item is contiguous with any stride */
  if (tensor->ndim != 1 || !tensor->shape)
    return 0;
  uint64_t n = (uint64_t)tensor->shape[0]; /* a negative size becomes too large */
  return n <= PTRDIFF_MAX / sizeof(double) && (tensor->data || n == 0) &&
         (!tensor->strides || tensor->strides[0] == 1 || n <= 1);
}

/* Borrow the doubles of a capsule's tensor until dlpack_release, which is called once. Return -1
 * with an exception set, and borrow nothing, if it is not a tensor of doubles. */
static int dlpack_floats(PyObject *capsule, const double **data, size_t *size) {
  const Tensor *tensor = open_capsule(capsule);
  if (!tensor || !is_float64(tensor)) {
    PyErr_SetString(PyExc_TypeError, "expected a float64 tensor");
    return -1;
  }
  uintptr_t address = (uintptr_t)tensor->data + tensor->byte_offset;
  if (tensor->device.type != CPU || !is_vector(tensor) ||
      (address % alignof(double) != 0 && tensor->shape[0] != 0)) {
    PyErr_SetString(PyExc_ValueError, "expected one dimension, contiguous, aligned, on the CPU");
    return -1;
  }
  *data = (const double *)address;
  *size = (size_t)tensor->shape[0];
  return 0;
}

static PyObject *dlpack_in(PyObject *module, PyObject *values) {
  PyObject *capsule = dlpack_capsule(PyModule_GetState(module), values), *result = NULL;
  const double *data;
  size_t size;
  if (capsule && dlpack_floats(capsule, &data, &size) == 0) {
    double sum = ck_sum_floats(data, size);
    dlpack_release(capsule);
    result = PyFloat_FromDouble(sum);
  }
  Py_XDECREF(capsule);
  return result;
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    METHOD(dlpack_in, METH_O, "(values, /)", "Return the sum of a float64 tensor of any library."),
    {NULL, NULL, 0, NULL}};

int add_dlpack(PyObject *module, State *state) {
  return add_dlpack_names(module, state) < 0 ? -1 : PyModule_AddFunctions(module, methods);
}
