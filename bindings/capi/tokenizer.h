/* What the four tokenizer pages share. */
#ifndef CAPI_TOKENIZER_H
#define CAPI_TOKENIZER_H

#include "common.h"

typedef struct {
  PyObject_HEAD PyObject *model;
  PyObject *names, *policy; /* the model's special_names and default_policy (bytes) */
  Py_buffer blob;           /* the model's memory, borrowed for life */
  ck_bpe bpe;               /* pointers into it */
} Tokenizer;

/* The UTF-8 of a str: kept by `text`, or by *owner, a new reference to give back, if that is not
 * NULL. */
const char *text_utf8(PyObject *text, Py_ssize_t *size, PyObject **owner);

/* A new reference to bytes: what to do with each special token. */
PyObject *special_policy(Tokenizer *self, PyObject *allowed, PyObject *disallowed);

/* Bytes for the ids of a text of n bytes, rounded up so that scratch can follow them. */
#define IDS_SIZE(n) (((n) * sizeof(uint32_t) + 15) & ~(size_t)15)

/* A new 1-D array holding a copy of n items. */
PyObject *array_from(const void *items, size_t n, int type, size_t itemsize);

/* The calls, in tokenizer_calls.c, tokenizer_batch.c and tokenizer_buffers.c. */
PyObject *tokenizer_encode(Tokenizer *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *tokenizer_encode_into(Tokenizer *, PyObject *const *, Py_ssize_t);
PyObject *tokenizer_encode_batch(Tokenizer *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *tokenizer_count(Tokenizer *, PyObject *);
PyObject *tokenizer_split(Tokenizer *, PyObject *);
PyObject *tokenizer_decode(Tokenizer *, PyObject *);
int import_numpy(void);

#endif
