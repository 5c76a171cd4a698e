/* Shows: the number of a call's allocations of Python's memory, by allocators that count and pass
 *        on. */
#include <Python.h>

static const PyMemAllocatorDomain domains[] = {PYMEM_DOMAIN_MEM, PYMEM_DOMAIN_OBJ};
static PyMemAllocatorEx own[2]; /* the interpreter's own allocators */
static long count;

static void *count_malloc(void *to, size_t size) {
  PyMemAllocatorEx *next = to;
  count++;
  return next->malloc(next->ctx, size);
}

static void *count_calloc(void *to, size_t n, size_t size) {
  PyMemAllocatorEx *next = to;
  count++;
  return next->calloc(next->ctx, n, size);
}

static void *count_realloc(void *to, void *memory, size_t size) {
  PyMemAllocatorEx *next = to;
  count++;
  return next->realloc(next->ctx, memory, size);
}

static void count_free(void *to, void *memory) {
  PyMemAllocatorEx *next = to;
  next->free(next->ctx, memory);
}

/* Return the number of allocations of function(*arguments), whose result is dropped. */
long count_allocations(PyObject *function, PyObject *const *arguments, size_t n) {
  for (int i = 0; i < 2; i++) {
    PyMem_GetAllocator(domains[i], &own[i]);
    PyMemAllocatorEx counting = {&own[i], count_malloc, count_calloc, count_realloc, count_free};
    PyMem_SetAllocator(domains[i], &counting);
  }
  count = 0;
  PyObject *result = PyObject_Vectorcall(function, arguments, n, NULL);
  long counted = count;
  for (int i = 0; i < 2; i++)
    PyMem_SetAllocator(domains[i], &own[i]);
  PyErr_Clear();
  Py_XDECREF(result);
  return counted;
}
