// Record decoding through pybind11.
//
// Shows:  any bytes-like object borrowed through py::buffer; int64 tables as py::array_t; the GIL
//         released; a status struct turned into an exception with fields.
// Build:  pybind11_add_module(... records.cpp).
// Bites:  what borrows a buffer gives it back when it is destroyed, which needs the GIL: declare it
//         outside the block that releases.
#include "common.hpp"

using Table = py::array_t<int64_t, 0>;
using Arena = py::array_t<uint8_t, 0>;
using Flag =
    const py::bool_ &; // a bool and nothing else, where `bool` would be the truth of anything

// ---- arguments -----------------------------------------------------------------------------

// The rows of a table, or of a single row when it has one dimension; of a `const Row` only to read.
template <class Row, class Array> static Row *rows_of(Array &table, const char *name, int ndim) {
  constexpr py::ssize_t columns = sizeof(Row) / sizeof(int64_t);
  check_contiguous(table, name);
  if (table.ndim() != ndim || table.shape(ndim - 1) != columns)
    throw py::value_error(std::string(name) + " must have rows of " + std::to_string(columns));
  if constexpr (std::is_const_v<Row>)
    return reinterpret_cast<Row *>(table.data());
  else
    return reinterpret_cast<Row *>(table.mutable_data()); // ValueError when read-only
}

static uint32_t options(bool verify, bool final, bool resync = false) {
  return (verify ? CK_VERIFY : 0) | (final ? CK_FINAL : 0) | (resync ? CK_RESYNC : 0);
}

static int64_t finish(const ck_error &error, const ck_cursor &cursor, py::handle schema) {
  if (error.code != CK_OK)
    raise_error("record_error", error, schema);
  return cursor.rows;
}

// ---- kernels -------------------------------------------------------------------------------

static int64_t index_records(const py::buffer &buffer, Table spans, Table cursor, Flag verify,
                             Flag final, Flag resync) {
  Bytes bytes(buffer);
  auto *rows = rows_of<ck_span>(spans, "spans", 2);
  auto *state = rows_of<ck_cursor>(cursor, "cursor", 1);
  auto capacity = static_cast<size_t>(spans.shape(0));
  ck_error error{};
  {
    py::gil_scoped_release release;
    ck_index_records(bytes.data(), bytes.size(), rows, capacity, options(verify, final, resync),
                     state, &error);
  }
  return finish(error, *state, py::none());
}

static int64_t decode_examples(const py::buffer &buffer, const py::buffer &schema, Arena arena,
                               Table columns, Table cursor, py::handle max_records, Flag verify,
                               Flag final) {
  const int64_t limit = checked_int64(max_records);
  Bytes bytes(buffer), names(schema);
  check_contiguous(arena, "arena");
  auto *memory = arena.mutable_data();
  auto size = static_cast<size_t>(arena.nbytes());
  auto *table = rows_of<ck_column>(columns, "columns", 2);
  auto *state = rows_of<ck_cursor>(cursor, "cursor", 1);
  auto n_columns = static_cast<size_t>(columns.shape(0));
  ck_error error{};
  {
    py::gil_scoped_release release;
    ck_decode_examples(bytes.data(), bytes.size(), names.data(), names.size(), memory, size, table,
                       n_columns, limit, options(verify, final), state, &error);
  }
  return finish(error, *state, schema);
}

static int64_t gather_examples(const py::buffer &buffer, const Table &spans,
                               const py::buffer &schema, Arena arena, Table columns, Table cursor,
                               Flag verify) {
  Bytes bytes(buffer), names(schema);
  auto *wanted = rows_of<const ck_span>(spans, "spans", 2);
  auto n_spans = static_cast<size_t>(spans.shape(0));
  check_contiguous(arena, "arena");
  auto *memory = arena.mutable_data();
  auto size = static_cast<size_t>(arena.nbytes());
  auto *table = rows_of<ck_column>(columns, "columns", 2);
  auto *state = rows_of<ck_cursor>(cursor, "cursor", 1);
  auto n_columns = static_cast<size_t>(columns.shape(0));
  ck_error error{};
  {
    py::gil_scoped_release release;
    ck_gather_examples(bytes.data(), bytes.size(), wanted, n_spans, names.data(), names.size(),
                       memory, size, table, n_columns, options(verify, true), state, &error);
  }
  return finish(error, *state, schema);
}

static int64_t decode_fixed(const py::buffer &buffer, py::handle record_size, const Table &fields,
                            Arena arena, Table cursor, py::handle max_records, Flag final) {
  const int64_t bytes_each = checked_int64(record_size), limit = checked_int64(max_records);
  Bytes bytes(buffer);
  auto *leaves = rows_of<const ck_fixed_field>(fields, "fields", 2);
  auto n_fields = static_cast<size_t>(fields.shape(0));
  check_contiguous(arena, "arena");
  auto *memory = arena.mutable_data();
  auto size = static_cast<size_t>(arena.nbytes());
  auto *state = rows_of<ck_cursor>(cursor, "cursor", 1);
  ck_error error{};
  {
    py::gil_scoped_release release;
    ck_decode_fixed(bytes.data(), bytes.size(), bytes_each, leaves, n_fields, memory, size, limit,
                    options(false, final), state, &error);
  }
  return finish(error, *state, py::none());
}

// ---- module --------------------------------------------------------------------------------

static py::arg_v default_true(const char *name) { return py::arg(name) = true; }

COOKBOOK_MODULE(records, m) {
  auto array = [](const char *name) { return py::arg(name).noconvert(); };
  m.def("index_records", &index_records, py::arg("buffer"), array("spans"), array("cursor"),
        default_true("verify"), default_true("final"), py::arg("resync") = false,
        "See bindings.protocol.Backend.index_records.");
  m.def("decode_examples", &decode_examples, py::arg("buffer"), py::arg("schema"), array("arena"),
        array("columns"), array("cursor"), py::arg("max_records"), default_true("verify"),
        default_true("final"), "See bindings.protocol.Backend.decode_examples.");
  m.def("gather_examples", &gather_examples, py::arg("buffer"), array("spans"), py::arg("schema"),
        array("arena"), array("columns"), array("cursor"), default_true("verify"),
        "See bindings.protocol.Backend.gather_examples.");
  m.def("decode_fixed", &decode_fixed, py::arg("buffer"), py::arg("record_size"), array("fields"),
        array("arena"), array("cursor"), py::arg("max_records"), default_true("final"),
        "See bindings.protocol.Backend.decode_fixed.");
}
