/* Shared by the five tokenizer pages. */
#ifndef CAPI_TOKENIZER_H
#define CAPI_TOKENIZER_H

#include <Python.h>

#include "cookbook.h"

typedef struct {
  PyObject_HEAD PyObject *model;
  PyObject *names, *policy; /* the model's special_names and default_policy (bytes) */
  PyObject *blob;           /* the model's memory (bytes) */
  ck_bpe *bpe;              /* the open model, with its caches */
} Tokenizer;

/* Return the UTF-8 of a str, or bytes as they are. `text` keeps the memory alive, or *owner does if
 * it is not NULL: a new reference that the caller releases. */
const char *text_utf8(PyObject *text, Py_ssize_t *size, PyObject **owner);

/* Return a new tuple: a model's special_names, its default_policy, and its blob as bytes. */
PyObject *asked(PyObject *model);

/* Return -1 with an exception set unless `policy` is bytes with one byte for each special token. */
int check_policy(PyObject *policy, size_t n_special);

/* Return new bytes that say what to do with each special token. */
PyObject *special_policy(Tokenizer *self, PyObject *allowed, PyObject *disallowed);

/* Return the memory of a 1-D array of *n ids, which stays valid while the caller holds the array;
 * or NULL with an exception set that calls it `name`. */
uint32_t *ids_of(PyObject *object, const char *name, int writable, size_t *n);

/* Return a new 1-D array of n uninitialised items, and set *data to its memory. */
PyObject *new_array(size_t n, int type, void *data);
/* Shorten the array to its first n items, in place: nobody else may have seen it yet. */
PyObject *shortened(PyObject *array, size_t n);

/* A kernel's call, in tokenizer_arguments.c. From 1 kB on it releases the GIL. From 1 MB on it also
 * checks for signals, and ends early if a handler raises: begin() returns its ck_interrupt. */
typedef struct {
  PyThreadState *given_up;
  ck_interrupt interrupt;
  ck_error error;
} Call;
ck_interrupt *begin_long(Call *call, size_t size);
int end_long(Call *call, const Tokenizer *self);

static inline ck_interrupt *begin(Call *call, size_t size) {
  enum { WORTH_THE_GIL = 1 << 10 }; /* releasing and reacquiring it takes as long as 1 kB */
  call->given_up = NULL;
  call->error.code = CK_OK;
  return size < WORTH_THE_GIL ? NULL : begin_long(call, size);
}

/* Return 0, or -1 with an exception set. */
static inline int end(Call *call, const Tokenizer *self) {
  return call->given_up || call->error.code != CK_OK ? end_long(call, self) : 0;
}

/* The calls, in tokenizer_calls.c, tokenizer_batch.c and tokenizer_buffers.c. */
PyObject *tokenizer_encode(Tokenizer *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *tokenizer_encode_into(Tokenizer *, PyObject *const *, Py_ssize_t);
PyObject *tokenizer_encode_batch(Tokenizer *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *tokenizer_count(Tokenizer *, PyObject *);
PyObject *tokenizer_split(Tokenizer *, PyObject *);
PyObject *tokenizer_decode(Tokenizer *, PyObject *);
int import_numpy(void);

#endif
