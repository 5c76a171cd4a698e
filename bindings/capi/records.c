/* Record decoding through the CPython C API.
 *
 * Shows:  any bytes-like object and int64 tables borrowed through the buffer protocol, several at
 *         once; the GIL released; a status struct turned into an exception with fields.
 * Build:  Python_add_library(... records.c), CPython's include directory.
 * Bites:  every Py_buffer taken must be released on every path; a view pins its memory (a bytearray
 *         cannot be resized, an mmap not closed) but does not stop other threads from writing to
 *         it.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "buffers.h"
#include "common.h"

/* ---- arguments --------------------------------------------------------------------------- */

enum { DEFAULTS = CK_VERIFY | CK_FINAL }; /* bits 0 and 1 of the options; bit 2: CK_RESYNC */

/* The rows filled, or the exception for `error`. Releases the views. */
static PyObject *finish(Views *views, const ck_error *error, const ck_cursor *cursor,
                        PyObject *schema) {
  int64_t rows = cursor->rows;
  release(views);
  return error->code == CK_OK ? PyLong_FromLongLong(rows)
                              : raise_error("record_error", error, schema);
}

/* ---- kernels ----------------------------------------------------------------------------- */

#define ARGUMENTS                                                                                  \
  PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames

static PyObject *index_records(ARGUMENTS) {
  static const char *const names[] = {"buffer", "spans", "cursor", "verify", "final", "resync"};
  PyObject *v[6] = {NULL};
  if (parse_arguments("index_records", names, 3, 6, 6, args, nargs, kwnames, v) < 0)
    return NULL;
  Views views = {.count = 0};
  Py_ssize_t capacity;
  Py_buffer *buffer = take(&views, v[0], 0);
  ck_span *spans = buffer ? take_int64(&views, v[1], "spans", 1, 2, &capacity) : NULL;
  ck_cursor *cursor = spans ? take_int64(&views, v[2], "cursor", 1, 4, NULL) : NULL;
  int options = cursor ? flags_from(v + 3, 3, DEFAULTS) : -1;
  if (options < 0)
    return release(&views);
  ck_error error = {0};
  Py_BEGIN_ALLOW_THREADS;
  ck_index_records(buffer->buf, (size_t)buffer->len, spans, (size_t)capacity, (uint32_t)options,
                   cursor, &error);
  Py_END_ALLOW_THREADS;
  return finish(&views, &error, cursor, Py_None);
}

static PyObject *decode_examples(ARGUMENTS) {
  static const char *const names[] = {"buffer", "schema",      "arena",  "columns",
                                      "cursor", "max_records", "verify", "final"};
  PyObject *v[8] = {NULL};
  if (parse_arguments("decode_examples", names, 6, 8, 8, args, nargs, kwnames, v) < 0)
    return NULL;
  int64_t max_records = PyLong_AsLongLong(v[5]);
  if (max_records == -1 && PyErr_Occurred())
    return NULL;
  Views views = {.count = 0};
  Py_ssize_t n_columns;
  Py_buffer *buffer = take(&views, v[0], 0);
  Py_buffer *schema = buffer ? take(&views, v[1], 0) : NULL;
  Py_buffer *arena = schema ? take_array(&views, v[2], "arena", "B", 1) : NULL;
  ck_column *columns = arena ? take_int64(&views, v[3], "columns", 1, 10, &n_columns) : NULL;
  ck_cursor *cursor = columns ? take_int64(&views, v[4], "cursor", 1, 4, NULL) : NULL;
  int options = cursor ? flags_from(v + 6, 2, DEFAULTS) : -1;
  if (options < 0)
    return release(&views);
  ck_error error = {0};
  Py_BEGIN_ALLOW_THREADS;
  ck_decode_examples(buffer->buf, (size_t)buffer->len, schema->buf, (size_t)schema->len, arena->buf,
                     (size_t)arena->len, columns, (size_t)n_columns, max_records, (uint32_t)options,
                     cursor, &error);
  Py_END_ALLOW_THREADS;
  return finish(&views, &error, cursor, v[1]);
}

static PyObject *gather_examples(ARGUMENTS) {
  static const char *const names[] = {"buffer",  "spans",  "schema", "arena",
                                      "columns", "cursor", "verify"};
  PyObject *v[7] = {NULL};
  if (parse_arguments("gather_examples", names, 6, 7, 7, args, nargs, kwnames, v) < 0)
    return NULL;
  Views views = {.count = 0};
  Py_ssize_t n_spans, n_columns;
  Py_buffer *buffer = take(&views, v[0], 0);
  ck_span *spans = buffer ? take_int64(&views, v[1], "spans", 0, 2, &n_spans) : NULL;
  Py_buffer *schema = spans ? take(&views, v[2], 0) : NULL;
  Py_buffer *arena = schema ? take_array(&views, v[3], "arena", "B", 1) : NULL;
  ck_column *columns = arena ? take_int64(&views, v[4], "columns", 1, 10, &n_columns) : NULL;
  ck_cursor *cursor = columns ? take_int64(&views, v[5], "cursor", 1, 4, NULL) : NULL;
  int options = cursor ? flags_from(v + 6, 1, DEFAULTS) : -1;
  if (options < 0)
    return release(&views);
  ck_error error = {0};
  Py_BEGIN_ALLOW_THREADS;
  ck_gather_examples(buffer->buf, (size_t)buffer->len, spans, (size_t)n_spans, schema->buf,
                     (size_t)schema->len, arena->buf, (size_t)arena->len, columns,
                     (size_t)n_columns, (uint32_t)options, cursor, &error);
  Py_END_ALLOW_THREADS;
  return finish(&views, &error, cursor, v[2]);
}

static PyObject *decode_fixed(ARGUMENTS) {
  static const char *const names[] = {"buffer", "record_size", "fields", "arena",
                                      "cursor", "max_records", "final"};
  PyObject *v[7] = {NULL};
  if (parse_arguments("decode_fixed", names, 6, 7, 7, args, nargs, kwnames, v) < 0)
    return NULL;
  int64_t record_size = PyLong_AsLongLong(v[1]);
  int64_t max_records = record_size == -1 && PyErr_Occurred() ? -1 : PyLong_AsLongLong(v[5]);
  if (PyErr_Occurred())
    return NULL;
  Views views = {.count = 0};
  Py_ssize_t n_fields;
  Py_buffer *buffer = take(&views, v[0], 0);
  ck_fixed_field *fields = buffer ? take_int64(&views, v[2], "fields", 0, 5, &n_fields) : NULL;
  Py_buffer *arena = fields ? take_array(&views, v[3], "arena", "B", 1) : NULL;
  ck_cursor *cursor = arena ? take_int64(&views, v[4], "cursor", 1, 4, NULL) : NULL;
  int options = cursor ? flags_from((PyObject *[]){NULL, v[6]}, 2, CK_FINAL) : -1;
  if (options < 0)
    return release(&views);
  ck_error error = {0};
  Py_BEGIN_ALLOW_THREADS;
  ck_decode_fixed(buffer->buf, (size_t)buffer->len, record_size, fields, (size_t)n_fields,
                  arena->buf, (size_t)arena->len, max_records, (uint32_t)options, cursor, &error);
  Py_END_ALLOW_THREADS;
  return finish(&views, &error, cursor, Py_None);
}

/* ---- module ------------------------------------------------------------------------------ */

#define METHOD(name)                                                                               \
  {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL | METH_KEYWORDS,                        \
   "See bindings.protocol.Backend." #name "."}

static PyMethodDef methods[] = {METHOD(index_records),
                                METHOD(decode_examples),
                                METHOD(gather_examples),
                                METHOD(decode_fixed),
                                {NULL, NULL, 0, NULL}};

COOKBOOK_MODULE(records, methods, exec_nothing)
