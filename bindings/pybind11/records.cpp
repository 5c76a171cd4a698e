// Record decoding through pybind11.
//
// Shows:  any bytes-like object borrowed through py::buffer; tables as py::array; the GIL released;
//         a status struct turned into an exception with fields.
// Build:  pybind11_add_module(... records.cpp).
// Bites:  an object that borrows a buffer releases it when destroyed, which needs the GIL: declare
//         it outside the block without the GIL. A py::array_t argument checks the dtype before
//         integers and buffers are converted, which can run code that sets another dtype.
#include "../_glue/bytes.hpp"
#include "contiguous.hpp"
#include "errors.hpp"
#include "module.hpp"
#include "numbers.hpp"

using Flag =
    const py::bool_ &; // a bool and nothing else; `bool` would take the truth value of any object

// ---- arguments -----------------------------------------------------------------------------

template <class T> static void check_array(const py::array &array, const char *name) {
  if (!py::isinstance<py::array_t<T, 0>>(array))
    throw py::type_error(std::string(name) + " must be a numpy array of " +
                         py::str(py::dtype::of<T>()).template cast<std::string>());
  check_contiguous(array, name);
}

// Return the rows of a table, or its only row. The table may be read-only if Row is const.
template <class Row> static Row *rows_of(py::array &table, const char *name, int ndim) {
  constexpr py::ssize_t columns = sizeof(Row) / sizeof(int64_t);
  check_array<int64_t>(table, name);
  if (table.ndim() != ndim || table.shape(ndim - 1) != columns)
    throw py::value_error(std::string(name) + " must have rows of " + std::to_string(columns));
  if constexpr (std::is_const_v<Row>)
    return static_cast<Row *>(table.data());
  else
    return static_cast<Row *>(table.mutable_data()); // ValueError if read-only
}

static ck_arena arena_of(py::array &arena) {
  check_array<uint8_t>(arena, "arena");
  return {static_cast<uint8_t *>(arena.mutable_data()), static_cast<size_t>(arena.nbytes())};
}

static ck_batch batch_of(const Bytes &schema, py::array &arena, py::array &columns,
                         int64_t max_records) {
  const ck_arena memory = arena_of(arena);
  auto *table = rows_of<ck_column>(columns, "columns", 2);
  return {schema, memory, table, static_cast<size_t>(columns.shape(0)), max_records};
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

static int64_t index_records(const py::buffer &buffer, py::array spans, py::array cursor,
                             Flag verify, Flag final, Flag resync) {
  Bytes bytes(buffer.ptr());
  auto *rows = rows_of<ck_span>(spans, "spans", 2);
  auto *state = rows_of<ck_cursor>(cursor, "cursor", 1);
  auto capacity = static_cast<size_t>(spans.shape(0));
  ck_error error{};
  {
    py::gil_scoped_release release;
    ck_index_records(bytes, rows, capacity, options(verify, final, resync), state, &error);
  }
  return finish(error, *state, py::none());
}

static int64_t decode_examples(const py::buffer &buffer, const py::buffer &schema, py::array arena,
                               py::array columns, py::array cursor, int64_t max_records,
                               Flag verify, Flag final) {
  Bytes bytes(buffer.ptr()), names(schema.ptr());
  const ck_batch batch = batch_of(names, arena, columns, max_records);
  auto *state = rows_of<ck_cursor>(cursor, "cursor", 1);
  ck_error error{};
  {
    py::gil_scoped_release release;
    ck_decode_examples(bytes, &batch, options(verify, final), state, &error);
  }
  return finish(error, *state, schema);
}

static int64_t gather_examples(const py::buffer &buffer, py::array spans, const py::buffer &schema,
                               py::array arena, py::array columns, py::array cursor, Flag verify) {
  Bytes bytes(buffer.ptr()), names(schema.ptr());
  auto *wanted = rows_of<const ck_span>(spans, "spans", 2);
  const ck_batch batch = batch_of(names, arena, columns, spans.shape(0));
  auto *state = rows_of<ck_cursor>(cursor, "cursor", 1);
  ck_error error{};
  {
    py::gil_scoped_release release;
    ck_gather_examples(bytes, wanted, &batch, options(verify, true), state, &error);
  }
  return finish(error, *state, schema);
}

static int64_t decode_fixed(const py::buffer &buffer, int64_t record_size, py::array fields,
                            py::array arena, py::array cursor, int64_t max_records, Flag final) {
  Bytes bytes(buffer.ptr());
  auto *leaves = rows_of<const ck_fixed_field>(fields, "fields", 2);
  const ck_fixed_batch batch{record_size, leaves, static_cast<size_t>(fields.shape(0)),
                             arena_of(arena), max_records};
  auto *state = rows_of<ck_cursor>(cursor, "cursor", 1);
  ck_error error{};
  {
    py::gil_scoped_release release;
    ck_decode_fixed(bytes, &batch, options(false, final), state, &error);
  }
  return finish(error, *state, py::none());
}

// ---- module --------------------------------------------------------------------------------

static py::arg_v default_true(const char *name) { return py::arg(name) = true; }

COOKBOOK_MODULE(records, m) {
  auto array = [](const char *name) { return py::arg(name).noconvert(); };
  m.def("index_records", &index_records, py::arg("buffer"), array("spans"), array("cursor"),
        default_true("verify"), default_true("final"), py::arg("resync") = false,
        "index_records(buffer, spans, cursor, verify=True, final=True, resync=False)\n--\n\nFind "
        "the frames of TFRecord data; see protocol.Backend.");
  m.def("decode_examples", &decode_examples, py::arg("buffer"), py::arg("schema"), array("arena"),
        array("columns"), array("cursor"), py::arg("max_records"), default_true("verify"),
        default_true("final"),
        "decode_examples(buffer, schema, arena, columns, cursor, max_records, verify=True, "
        "final=True)\n--\n\nDecode records into columns; see protocol.Backend.");
  m.def("gather_examples", &gather_examples, py::arg("buffer"), array("spans"), py::arg("schema"),
        array("arena"), array("columns"), array("cursor"), default_true("verify"),
        "gather_examples(buffer, spans, schema, arena, columns, cursor, verify=True)\n--\n\nDecode "
        "records in any order into columns; see protocol.Backend.");
  m.def("decode_fixed", &decode_fixed, py::arg("buffer"), py::arg("record_size"), array("fields"),
        array("arena"), array("cursor"), py::arg("max_records"), default_true("final"),
        "decode_fixed(buffer, record_size, fields, arena, cursor, max_records, "
        "final=True)\n--\n\nDecode fixed-size records into columns; see protocol.Backend.");
}
