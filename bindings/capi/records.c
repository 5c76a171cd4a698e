/* Record decoding through the CPython C API.
 *
 * Shows:  any bytes-like object borrowed through the buffer protocol; int64 tables through NumPy's C
 *         API; the GIL released; a status struct turned into an exception with fields.
 * Build:  Python_add_library(... records.c), the include directories of CPython and NumPy.
 * Bites:  every Py_buffer taken must be released on every path; a view pins its memory, but does not
 *         stop other threads from writing to it.
 */
#include "arguments.h"
#include "arrays.h"
#include "buffers.h"
#include "errors.h"
#include "flags.h"
#include "module.h"

/* ---- arguments --------------------------------------------------------------------------- */
enum { DEFAULTS = CK_VERIFY | CK_FINAL }; /* bits 0 and 1 of the options; bit 2: CK_RESYNC */

/* Fill in the memory of a batch. Return 0 with an exception set if an array is not valid. */
static int take_batch(ck_batch *batch, const Py_buffer *schema, PyObject *arena,
                      PyObject *columns) {
  batch->schema = bytes_of(schema);
  batch->arena = arena_of(arena);
  batch->columns = batch->arena.data ? rows_of(columns, "columns", 2, 10, 1) : NULL;
  batch->n_columns = batch->columns ? length_of(columns) : 0;
  return batch->columns != NULL;
}

/* Return the number of rows filled, or raise the exception for `error`. Release the views. */
static PyObject *finish(Views *views, const ck_error *error, const ck_cursor *cursor,
                        PyObject *schema) {
  int64_t rows = cursor->rows;
  release(views);
  return error->code == CK_OK ? PyLong_FromLongLong(rows)
                              : raise_error("record_error", error, schema);
}

/* ---- kernels ----------------------------------------------------------------------------- */

#define ARGS PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames

static PyObject *index_records(ARGS) {
  static const char *const names[] = {"buffer", "spans", "cursor", "verify", "final", "resync"};
  PyObject *v[6] = {NULL};
  int options;
  if (parse_arguments("index_records", names, 3, 6, 6, args, nargs, kwnames, v) < 0 ||
      (options = flags_from(v + 3, names + 3, 3, DEFAULTS)) < 0)
    return NULL;
  Views views = {.count = 0};
  Py_buffer *buffer = take(&views, v[0], "buffer");
  ck_span *spans = buffer ? rows_of(v[1], "spans", 2, 2, 1) : NULL;
  ck_cursor *cursor = spans ? rows_of(v[2], "cursor", 1, 4, 1) : NULL;
  if (!cursor)
    return release(&views);
  size_t capacity = length_of(v[1]);
  ck_error error = {0};
  Py_BEGIN_ALLOW_THREADS;
  ck_index_records(bytes_of(buffer), spans, capacity, (uint32_t)options, cursor, &error);
  Py_END_ALLOW_THREADS;
  return finish(&views, &error, cursor, Py_None);
}

static PyObject *decode_examples(ARGS) {
  static const char *const names[] = {"buffer", "schema",      "arena",  "columns",
                                      "cursor", "max_records", "verify", "final"};
  PyObject *v[8] = {NULL};
  int options;
  int64_t max_records;
  if (parse_arguments("decode_examples", names, 6, 8, 8, args, nargs, kwnames, v) < 0 ||
      (options = flags_from(v + 6, names + 6, 2, DEFAULTS)) < 0 ||
      parse_int64(v[5], &max_records) < 0)
    return NULL;
  Views views = {.count = 0};
  Py_buffer *buffer = take(&views, v[0], "buffer");
  Py_buffer *schema = buffer ? take(&views, v[1], "schema") : NULL;
  ck_cursor *cursor = schema ? rows_of(v[4], "cursor", 1, 4, 1) : NULL;
  ck_batch batch = {.max_records = max_records};
  if (!cursor || !take_batch(&batch, schema, v[2], v[3]))
    return release(&views);
  ck_error error = {0};
  Py_BEGIN_ALLOW_THREADS;
  ck_decode_examples(bytes_of(buffer), &batch, (uint32_t)options, cursor, &error);
  Py_END_ALLOW_THREADS;
  return finish(&views, &error, cursor, v[1]);
}

static PyObject *gather_examples(ARGS) {
  static const char *const names[] = {"buffer",  "spans",  "schema", "arena",
                                      "columns", "cursor", "verify"};
  PyObject *v[7] = {NULL};
  int options;
  if (parse_arguments("gather_examples", names, 6, 7, 7, args, nargs, kwnames, v) < 0 ||
      (options = flags_from(v + 6, names + 6, 1, DEFAULTS)) < 0)
    return NULL;
  Views views = {.count = 0};
  Py_buffer *buffer = take(&views, v[0], "buffer");
  Py_buffer *schema = buffer ? take(&views, v[2], "schema") : NULL;
  ck_span *spans = schema ? rows_of(v[1], "spans", 2, 2, 0) : NULL;
  ck_cursor *cursor = spans ? rows_of(v[5], "cursor", 1, 4, 1) : NULL;
  ck_batch batch = {.max_records = cursor ? (int64_t)length_of(v[1]) : 0};
  if (!cursor || !take_batch(&batch, schema, v[3], v[4]))
    return release(&views);
  ck_error error = {0};
  Py_BEGIN_ALLOW_THREADS;
  ck_gather_examples(bytes_of(buffer), spans, &batch, (uint32_t)options, cursor, &error);
  Py_END_ALLOW_THREADS;
  return finish(&views, &error, cursor, v[2]);
}

static PyObject *decode_fixed(ARGS) {
  static const char *const names[] = {"buffer", "record_size", "fields", "arena",
                                      "cursor", "max_records", "final"};
  PyObject *v[7] = {NULL};
  int options;
  int64_t record_size, max_records;
  if (parse_arguments("decode_fixed", names, 6, 7, 7, args, nargs, kwnames, v) < 0 ||
      (options = flags_from((PyObject *[]){NULL, v[6]}, names + 5, 2, CK_FINAL)) < 0 ||
      parse_int64(v[1], &record_size) < 0 || parse_int64(v[5], &max_records) < 0)
    return NULL;
  Views views = {.count = 0};
  Py_buffer *buffer = take(&views, v[0], "buffer");
  ck_fixed_field *fields = buffer ? rows_of(v[2], "fields", 2, 5, 0) : NULL;
  ck_arena arena = fields ? arena_of(v[3]) : (ck_arena){NULL, 0};
  ck_cursor *cursor = arena.data ? rows_of(v[4], "cursor", 1, 4, 1) : NULL;
  if (!cursor)
    return release(&views);
  ck_fixed_batch batch = {record_size, fields, length_of(v[2]), arena, max_records};
  ck_error error = {0};
  Py_BEGIN_ALLOW_THREADS;
  ck_decode_fixed(bytes_of(buffer), &batch, (uint32_t)options, cursor, &error);
  Py_END_ALLOW_THREADS;
  return finish(&views, &error, cursor, Py_None);
}

/* ---- module ------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    METHOD(index_records, METH_FASTCALL | METH_KEYWORDS,
           "(buffer, spans, cursor, verify=True, final=True, resync=False)",
           "Find the frames of TFRecord data; see bindings.protocol.Backend."),
    METHOD(decode_examples, METH_FASTCALL | METH_KEYWORDS,
           "(buffer, schema, arena, columns, cursor, max_records, verify=True, final=True)",
           "Decode records into columns; see bindings.protocol.Backend."),
    METHOD(gather_examples, METH_FASTCALL | METH_KEYWORDS,
           "(buffer, spans, schema, arena, columns, cursor, verify=True)",
           "Decode records in any order into columns; see bindings.protocol.Backend."),
    METHOD(decode_fixed, METH_FASTCALL | METH_KEYWORDS,
           "(buffer, record_size, fields, arena, cursor, max_records, final=True)",
           "Decode fixed-size records into columns; see bindings.protocol.Backend."),
    {NULL, NULL, 0, NULL}};

COOKBOOK_MODULE(records, methods, exec_numpy)
