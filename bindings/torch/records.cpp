// Record decoding through torch's dispatcher.
//
// Shows:  ops that fill their arguments, which a schema must declare: Tensor(a!) is written to;
//         keyword-only arguments with defaults; a status that comes back as a tensor.
// Build:  CMakeLists.txt beside this file.
// Bites:  torch trusts a schema when it reorders, drops and repeats calls: a write that is not
//         declared is lost. An exception would reach Python as a RuntimeError with a text only, so
//         the six integers of an error are a result instead.
#include "common.hpp"

// ---- arguments -----------------------------------------------------------------------------

template <class Row> static void check_rows(const Tensor &table, const char *name, int64_t ndim) {
  constexpr int64_t columns = sizeof(Row) / sizeof(int64_t);
  STD_TORCH_CHECK(table.dim() == ndim && table.size(ndim - 1) == columns, name,
                  " must have rows of ", columns);
}

// Return the rows of a table, or the only row if it has one dimension.
template <class Row> static Row *rows_of(const Tensor &table, const char *name, int64_t ndim = 2) {
  check_rows<Row>(table, name, ndim);
  return reinterpret_cast<Row *>(writable<int64_t>(table, name));
}

static ck_bytes bytes_of(const Tensor &buffer, const char *name) {
  return {elements<uint8_t>(buffer, name), size_of(buffer)};
}

static ck_arena arena_of(const Tensor &arena) {
  return {writable<uint8_t>(arena, "arena"), size_of(arena)};
}

static ck_batch batch_of(const Tensor &schema, const Tensor &arena, const Tensor &columns,
                         int64_t max_records) {
  return {bytes_of(schema, "schema"), arena_of(arena), rows_of<ck_column>(columns, "columns"),
          static_cast<size_t>(columns.size(0)), max_records};
}

static uint32_t options(bool verify, bool final, bool resync = false) {
  return (verify ? CK_VERIFY : 0) | (final ? CK_FINAL : 0) | (resync ? CK_RESYNC : 0);
}

// ---- kernels -------------------------------------------------------------------------------

static Tensor index_records(const Tensor &buffer, const Tensor &spans, const Tensor &cursor,
                            bool verify, bool final, bool resync) {
  ck_error error{};
  ck_index_records(bytes_of(buffer, "buffer"), rows_of<ck_span>(spans, "spans"),
                   static_cast<size_t>(spans.size(0)), options(verify, final, resync),
                   rows_of<ck_cursor>(cursor, "cursor", 1), &error);
  return tensor_from(error);
}

static Tensor decode_examples(const Tensor &buffer, const Tensor &schema, const Tensor &arena,
                              const Tensor &columns, const Tensor &cursor, int64_t max_records,
                              bool verify, bool final) {
  const ck_batch batch = batch_of(schema, arena, columns, max_records);
  ck_error error{};
  ck_decode_examples(bytes_of(buffer, "buffer"), &batch, options(verify, final),
                     rows_of<ck_cursor>(cursor, "cursor", 1), &error);
  return tensor_from(error);
}

static Tensor gather_examples(const Tensor &buffer, const Tensor &spans, const Tensor &schema,
                              const Tensor &arena, const Tensor &columns, const Tensor &cursor,
                              bool verify) {
  check_rows<ck_span>(spans, "spans", 2);
  auto *rows = reinterpret_cast<const ck_span *>(elements<int64_t>(spans, "spans"));
  const ck_batch batch = batch_of(schema, arena, columns, spans.size(0));
  ck_error error{};
  ck_gather_examples(bytes_of(buffer, "buffer"), rows, &batch, options(verify, true),
                     rows_of<ck_cursor>(cursor, "cursor", 1), &error);
  return tensor_from(error);
}

static Tensor decode_fixed(const Tensor &buffer, int64_t record_size, const Tensor &fields,
                           const Tensor &arena, const Tensor &cursor, int64_t max_records,
                           bool final) {
  check_rows<ck_fixed_field>(fields, "fields", 2);
  auto *leaves = reinterpret_cast<const ck_fixed_field *>(elements<int64_t>(fields, "fields"));
  const ck_fixed_batch batch{record_size, leaves, static_cast<size_t>(fields.size(0)),
                             arena_of(arena), max_records};
  ck_error error{};
  ck_decode_fixed(bytes_of(buffer, "buffer"), &batch, options(false, final),
                  rows_of<ck_cursor>(cursor, "cursor", 1), &error);
  return tensor_from(error);
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("index_records(Tensor buffer, Tensor(a!) spans, Tensor(b!) cursor, *, "
        "bool verify=True, bool final=True, bool resync=False) -> Tensor");
  m.def("decode_examples(Tensor buffer, Tensor schema, Tensor(a!) arena, Tensor(b!) columns, "
        "Tensor(c!) cursor, int max_records, *, bool verify=True, bool final=True) -> Tensor");
  m.def("gather_examples(Tensor buffer, Tensor spans, Tensor schema, Tensor(a!) arena, "
        "Tensor(b!) columns, Tensor(c!) cursor, *, bool verify=True) -> Tensor");
  m.def("decode_fixed(Tensor buffer, int record_size, Tensor fields, Tensor(a!) arena, "
        "Tensor(b!) cursor, int max_records, *, bool final=True) -> Tensor");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("index_records", TORCH_BOX(&index_records));
  m.impl("decode_examples", TORCH_BOX(&decode_examples));
  m.impl("gather_examples", TORCH_BOX(&gather_examples));
  m.impl("decode_fixed", TORCH_BOX(&decode_fixed));
}
