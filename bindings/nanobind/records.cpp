// Record decoding through nanobind.
//
// Shows:  any bytes-like object borrowed through the buffer protocol; int64 tables as nb::ndarray;
//         the GIL released; a status struct turned into an exception with fields.
// Build:  nanobind_add_module(... NOMINSIZE records.cpp).
// Bites:  nanobind has no class for the buffer protocol: a Py_buffer is CPython's, and releasing it
//         needs the GIL, so declare it outside the block without the GIL.
#include <string>
#include <type_traits>

#include <nanobind/ndarray.h>

#include "../_glue/bytes.hpp"
#include "errors.hpp"
#include "ndarrays.hpp"
#include "numbers.hpp"

// ---- arguments -----------------------------------------------------------------------------

// A C-contiguous numpy.ndarray of T. Another type or dtype raises TypeError; a read-only,
// misaligned or non-contiguous array raises ValueError. (As the type of an argument, nb::ndarray
// would raise TypeError for each.)
template <class T>
static nb::ndarray<T, nb::c_contig, nb::device::cpu> ndarray_of(nb::handle object,
                                                                const char *name) {
  nb::ndarray<const T, nb::device::cpu> any;
  nb::ndarray<T, nb::c_contig, nb::device::cpu> array;
  nb::object plain = plain_array(object, name);
  if (!nb::try_cast(plain, any, false))
    nb::raise_type_error("%s must be an array of the right dtype", name);
  bool misaligned = reinterpret_cast<uintptr_t>(any.data()) % sizeof(T) != 0 && any.size() != 0;
  if (misaligned || !nb::try_cast(plain, array, false)) {
    PyErr_Format(PyExc_ValueError, "%s must be C-contiguous, aligned, and writable if it is filled",
                 name);
    throw nb::python_error();
  }
  return array;
}

// A table, or a single row if it has one dimension. It holds the memory until it is destroyed.
template <class Row> struct Table {
  static constexpr size_t columns = sizeof(Row) / sizeof(int64_t);
  static constexpr size_t ndim = std::is_same_v<Row, ck_cursor> ? 1 : 2;
  using Item = std::conditional_t<std::is_const_v<Row>, const int64_t, int64_t>;

  nb::ndarray<Item, nb::c_contig, nb::device::cpu> array;

  Table(nb::handle object, const char *name) : array(ndarray_of<Item>(object, name)) {
    if (array.ndim() != ndim || array.shape(ndim - 1) != columns)
      throw nb::value_error(
          (std::string(name) + " must have rows of " + std::to_string(columns)).c_str());
  }
  Row *rows() const { return reinterpret_cast<Row *>(array.data()); }
  size_t size() const { return array.shape(0); }
};

static uint32_t options(bool verify, bool final, bool resync = false) {
  return (verify ? CK_VERIFY : 0) | (final ? CK_FINAL : 0) | (resync ? CK_RESYNC : 0);
}

static int64_t finish(const ck_error &error, const ck_cursor &cursor, nb::handle schema) {
  if (error.code != CK_OK)
    raise_error("record_error", error, schema);
  return cursor.rows;
}

// ---- kernels -------------------------------------------------------------------------------

static int64_t index_records(nb::handle buffer, nb::handle spans, nb::handle cursor, bool verify,
                             bool final, bool resync) {
  Bytes bytes(buffer.ptr());
  Table<ck_span> rows(spans, "spans");
  Table<ck_cursor> state(cursor, "cursor");
  ck_error error{};
  {
    nb::gil_scoped_release release;
    ck_index_records(bytes, rows.rows(), rows.size(), options(verify, final, resync), state.rows(),
                     &error);
  }
  return finish(error, *state.rows(), nb::none());
}

static int64_t decode_examples(nb::handle buffer, nb::handle schema, nb::handle arena,
                               nb::handle columns, nb::handle cursor, Int max_records, bool verify,
                               bool final) {
  int64_t most = value_of(max_records);
  Bytes bytes(buffer.ptr()), names(schema.ptr());
  auto memory = ndarray_of<uint8_t>(arena, "arena");
  Table<ck_column> table(columns, "columns");
  Table<ck_cursor> state(cursor, "cursor");
  const ck_batch batch{names, {memory.data(), memory.size()}, table.rows(), table.size(), most};
  ck_error error{};
  {
    nb::gil_scoped_release release;
    ck_decode_examples(bytes, &batch, options(verify, final), state.rows(), &error);
  }
  return finish(error, *state.rows(), schema);
}

static int64_t gather_examples(nb::handle buffer, nb::handle spans, nb::handle schema,
                               nb::handle arena, nb::handle columns, nb::handle cursor,
                               bool verify) {
  Bytes bytes(buffer.ptr()), names(schema.ptr());
  Table<const ck_span> wanted(spans, "spans");
  auto memory = ndarray_of<uint8_t>(arena, "arena");
  Table<ck_column> table(columns, "columns");
  Table<ck_cursor> state(cursor, "cursor");
  const ck_batch batch{names,
                       {memory.data(), memory.size()},
                       table.rows(),
                       table.size(),
                       static_cast<int64_t>(wanted.size())};
  ck_error error{};
  {
    nb::gil_scoped_release release;
    ck_gather_examples(bytes, wanted.rows(), &batch, options(verify, true), state.rows(), &error);
  }
  return finish(error, *state.rows(), schema);
}

static int64_t decode_fixed(nb::handle buffer, Int record_size, nb::handle fields, nb::handle arena,
                            nb::handle cursor, Int max_records, bool final) {
  int64_t size = value_of(record_size), most = value_of(max_records);
  Bytes bytes(buffer.ptr());
  Table<const ck_fixed_field> leaves(fields, "fields");
  auto memory = ndarray_of<uint8_t>(arena, "arena");
  Table<ck_cursor> state(cursor, "cursor");
  const ck_fixed_batch batch{
      size, leaves.rows(), leaves.size(), {memory.data(), memory.size()}, most};
  ck_error error{};
  {
    nb::gil_scoped_release release;
    ck_decode_fixed(bytes, &batch, options(false, final), state.rows(), &error);
  }
  return finish(error, *state.rows(), nb::none());
}

// ---- module --------------------------------------------------------------------------------

NB_MODULE(records, m) {
  find_ndarray();
  nb::arg buffer("buffer"), schema("schema"), arena("arena"), cursor("cursor"), max("max_records");
  m.def("index_records", &index_records, buffer, nb::arg("spans"), cursor, nb::arg("verify") = true,
        nb::arg("final") = true, nb::arg("resync") = false,
        "Find the frames of TFRecord data; see protocol.Backend.");
  m.def("decode_examples", &decode_examples, buffer, schema, arena, nb::arg("columns"), cursor, max,
        nb::arg("verify") = true, nb::arg("final") = true,
        "Decode records into columns; see protocol.Backend.");
  m.def("gather_examples", &gather_examples, buffer, nb::arg("spans"), schema, arena,
        nb::arg("columns"), cursor, nb::arg("verify") = true,
        "Decode records in any order into columns; see protocol.Backend.");
  m.def("decode_fixed", &decode_fixed, buffer, nb::arg("record_size"), nb::arg("fields"), arena,
        cursor, max, nb::arg("final") = true,
        "Decode fixed-size records into columns; see protocol.Backend.");
}
