/* Record decoding through the CPython C API.
 *
 * Shows:  bytes-like objects borrowed by the buffer protocol; int64 tables by NumPy's C API; the GIL
 *         released; a status struct turned into an exception with fields.
 * Build:  Python_add_library(... records.c), the include directories of CPython and NumPy.
 * Bites:  every Py_buffer taken must be released on every path; a view pins its memory, but does not
 *         stop other threads from writing to it.
 */
#include "arguments.h"
#include "arrays.h"
#include "buffers.h"
#include "errors.h"
#include "module.h"

/* ---- arguments --------------------------------------------------------------------------- */

/* Fill in a batch from its schema, arena and columns, or return -1 with an exception set. */
static int take_batch(PyObject *const *v, Py_buffer *schema, ck_batch *batch) {
  if (borrow(v[0], "schema", schema) < 0 || !(batch->arena = arena_of(v[1])).data ||
      !(batch->columns = rows_of(v[2], "columns", 2, 10, 1)))
    return -1;
  batch->schema = bytes_of(schema);
  batch->n_columns = length_of(v[2]);
  return 0;
}

static PyObject *finish(const ck_error *error, const ck_cursor *cursor, PyObject *schema) {
  return error->code == CK_OK ? PyLong_FromLongLong(cursor->rows)
                              : raise_error("record_error", error, schema);
}

/* ---- kernels ----------------------------------------------------------------------------- */

#define ARGS PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames

static PyObject *index_records(ARGS) {
  static const char *const names[] = {"buffer", "spans", "cursor", "verify", "final", "resync"};
  PyObject *v[6] = {NULL}, *result = NULL;
  uint32_t options = CK_VERIFY | CK_FINAL;
  if (parse_arguments("index_records", names, 3, 6, 6, args, nargs, kwnames, v) < 0 ||
      parse_flags(v + 3, names + 3, 3, CK_VERIFY, &options) < 0) /* and CK_FINAL, CK_RESYNC */
    return NULL;
  Py_buffer buffer;
  ck_span *spans;
  ck_cursor *cursor;
  if (borrow(v[0], "buffer", &buffer) == 0 && (spans = rows_of(v[1], "spans", 2, 2, 1)) &&
      (cursor = rows_of(v[2], "cursor", 1, 4, 1))) {
    size_t capacity = length_of(v[1]);
    ck_error error = {0};
    Py_BEGIN_ALLOW_THREADS;
    ck_index_records(bytes_of(&buffer), spans, capacity, options, cursor, &error);
    Py_END_ALLOW_THREADS;
    result = finish(&error, cursor, Py_None);
  }
  PyBuffer_Release(&buffer);
  return result;
}

static PyObject *decode_examples(ARGS) {
  static const char *const names[] = {"buffer", "schema",      "arena",  "columns",
                                      "cursor", "max_records", "verify", "final"};
  PyObject *v[8] = {NULL}, *result = NULL;
  uint32_t options = CK_VERIFY | CK_FINAL;
  ck_batch batch = {.n_columns = 0};
  if (parse_arguments("decode_examples", names, 6, 8, 8, args, nargs, kwnames, v) < 0 ||
      parse_flags(v + 6, names + 6, 2, CK_VERIFY, &options) < 0 || /* and CK_FINAL */
      parse_int64(v[5], &batch.max_records) < 0)
    return NULL;
  Py_buffer buffer, schema = {NULL};
  ck_cursor *cursor;
  if (borrow(v[0], "buffer", &buffer) == 0 && take_batch(v + 1, &schema, &batch) == 0 &&
      (cursor = rows_of(v[4], "cursor", 1, 4, 1))) {
    ck_error error = {0};
    Py_BEGIN_ALLOW_THREADS;
    ck_decode_examples(bytes_of(&buffer), &batch, options, cursor, &error);
    Py_END_ALLOW_THREADS;
    result = finish(&error, cursor, v[1]);
  }
  PyBuffer_Release(&schema);
  PyBuffer_Release(&buffer);
  return result;
}

static PyObject *gather_examples(ARGS) {
  static const char *const names[] = {"buffer",  "spans",  "schema", "arena",
                                      "columns", "cursor", "verify"};
  PyObject *v[7] = {NULL}, *result = NULL;
  uint32_t options = CK_VERIFY | CK_FINAL;
  if (parse_arguments("gather_examples", names, 6, 7, 7, args, nargs, kwnames, v) < 0 ||
      parse_flags(v + 6, names + 6, 1, CK_VERIFY, &options) < 0)
    return NULL;
  Py_buffer buffer, schema = {NULL};
  ck_span *spans;
  ck_cursor *cursor;
  ck_batch batch;
  if (borrow(v[0], "buffer", &buffer) == 0 && take_batch(v + 2, &schema, &batch) == 0 &&
      (spans = rows_of(v[1], "spans", 2, 2, 0)) && (cursor = rows_of(v[5], "cursor", 1, 4, 1))) {
    batch.max_records = (int64_t)length_of(v[1]);
    ck_error error = {0};
    Py_BEGIN_ALLOW_THREADS;
    ck_gather_examples(bytes_of(&buffer), spans, &batch, options, cursor, &error);
    Py_END_ALLOW_THREADS;
    result = finish(&error, cursor, v[2]);
  }
  PyBuffer_Release(&schema);
  PyBuffer_Release(&buffer);
  return result;
}

static PyObject *decode_fixed(ARGS) {
  static const char *const names[] = {"buffer", "record_size", "fields", "arena",
                                      "cursor", "max_records", "final"};
  PyObject *v[7] = {NULL}, *result = NULL;
  uint32_t options = CK_FINAL;
  ck_fixed_batch batch = {.n_fields = 0};
  if (parse_arguments("decode_fixed", names, 6, 7, 7, args, nargs, kwnames, v) < 0 ||
      parse_flags(v + 6, names + 6, 1, CK_FINAL, &options) < 0 ||
      parse_int64(v[1], &batch.record_size) < 0 || parse_int64(v[5], &batch.max_records) < 0)
    return NULL;
  Py_buffer buffer;
  ck_cursor *cursor;
  if (borrow(v[0], "buffer", &buffer) == 0 && (batch.fields = rows_of(v[2], "fields", 2, 5, 0)) &&
      (batch.arena = arena_of(v[3])).data && (cursor = rows_of(v[4], "cursor", 1, 4, 1))) {
    batch.n_fields = length_of(v[2]);
    ck_error error = {0};
    Py_BEGIN_ALLOW_THREADS;
    ck_decode_fixed(bytes_of(&buffer), &batch, options, cursor, &error);
    Py_END_ALLOW_THREADS;
    result = finish(&error, cursor, Py_None);
  }
  PyBuffer_Release(&buffer);
  return result;
}

/* ---- module ------------------------------------------------------------------------------ */

#define CALL(name, signature, doc)                                                                 \
  METHOD(name, METH_FASTCALL | METH_KEYWORDS, signature, doc "; see protocol.Backend.")

static PyMethodDef methods[] = {
    CALL(index_records, "(buffer, spans, cursor, verify=True, final=True, resync=False)",
         "Find the frames of TFRecord data"),
    CALL(decode_examples,
         "(buffer, schema, arena, columns, cursor, max_records, verify=True, final=True)",
         "Decode records into columns"),
    CALL(gather_examples, "(buffer, spans, schema, arena, columns, cursor, verify=True)",
         "Decode records in any order into columns"),
    CALL(decode_fixed, "(buffer, record_size, fields, arena, cursor, max_records, final=True)",
         "Decode fixed-size records into columns"),
    {NULL, NULL, 0, NULL}};

COOKBOOK_MODULE(records, methods, exec_numpy)
