/* What the five tokenizer pages share. */
#ifndef CAPI_TOKENIZER_H
#define CAPI_TOKENIZER_H

#include <Python.h>

#include "cookbook.h"

typedef struct {
  PyObject_HEAD PyObject *model;
  PyObject *names, *policy; /* the model's special_names and default_policy (bytes) */
  PyObject *blob;           /* the model's memory (bytes) */
  ck_bpe *bpe;              /* the model open, with its caches */
} Tokenizer;

/* The UTF-8 of a str, or bytes as they are: kept alive by `text`, or by *owner, a new
 * reference that the caller releases, if that is not NULL. */
const char *text_utf8(PyObject *text, Py_ssize_t *size, PyObject **owner);

/* A new reference to a tuple: a model's special_names, its default_policy, and its blob as bytes. */
PyObject *asked(PyObject *model);

/* -1 with an exception set unless `policy` is bytes, one for each special token. */
int check_policy(PyObject *policy, size_t n_special);

/* A new reference to bytes: what to do with each special token. */
PyObject *special_policy(Tokenizer *self, PyObject *allowed, PyObject *disallowed);

/* The memory of a 1-D array of *n ids, the caller's for as long as he has the array; or NULL with an
 * exception set that calls it `name`. */
uint32_t *ids_of(PyObject *object, const char *name, int writable, size_t *n);

/* A new 1-D array of n items, uninitialised, whose memory is then *data. */
PyObject *new_array(size_t n, int type, void *data);
/* The array with only its first n items: in place, so for no one else to have seen. */
PyObject *shortened(PyObject *array, size_t n);

/* A kernel's call, in tokenizer_arguments.c: begun, the GIL is released if that is worth its time. A
 * long call asks meanwhile whether a signal's handler raises: then its ck_interrupt is returned. */
typedef struct {
  PyThreadState *given_up;
  ck_interrupt interrupt;
  ck_error error;
} Call;
ck_interrupt *begin_long(Call *call, size_t size);
int end_long(Call *call, const Tokenizer *self);

static inline ck_interrupt *begin(Call *call, size_t size) {
  enum { WORTH_THE_GIL = 1 << 10 }; /* giving it up and taking it again takes as long as 1 kB */
  call->given_up = NULL;
  call->error.code = CK_OK;
  return size < WORTH_THE_GIL ? NULL : begin_long(call, size);
}

/* 0, or -1 with an exception set. */
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
