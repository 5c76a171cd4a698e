// What a writer of records needs, through nanobind: a checksum, and integers as varints.
//
// Shows:  the GIL released only where the work is long enough; bytes made of memory that a kernel
//         filled.
// Build:  nanobind_add_module(... NOMINSIZE writing.cpp).
// Bites:  an nb::ndarray parameter makes a wrong layout a TypeError: array_of tells it apart.
#include "common.hpp"

#include <memory>
#include <optional>

// ---- arguments -----------------------------------------------------------------------------

static constexpr size_t WORTH_THE_GIL = 4096, LONGEST_VARINT = 10; // bytes

template <class Work> static auto without_gil(size_t size, Work work) {
  std::optional<nb::gil_scoped_release> release;
  if (size >= WORTH_THE_GIL)
    release.emplace();
  return work();
}

// ---- kernels -------------------------------------------------------------------------------

static uint32_t crc32c(nb::handle buffer) {
  Bytes bytes(buffer);
  return without_gil(bytes.size(), [&] { return ck_crc32c(bytes.data(), bytes.size()); });
}

static nb::bytes encode_varints(nb::handle object) {
  auto values = ndarray_of<const int64_t>(object, "values");
  if (values.ndim() != 1)
    throw value_error("values must be one-dimensional");
  size_t n = values.size();
  std::unique_ptr<uint8_t[]> out(new uint8_t[LONGEST_VARINT * n]);
  size_t size = without_gil(8 * n, [&] { return ck_encode_varints(values.data(), n, out.get()); });
  return nb::bytes(out.get(), size);
}

// ---- module --------------------------------------------------------------------------------

NB_MODULE(writing, m) {
  find_ndarray();
  m.def("crc32c", &crc32c, nb::arg("buffer"), "See bindings.protocol.Backend.crc32c.");
  m.def("encode_varints", &encode_varints, nb::arg("values"),
        "See bindings.protocol.Backend.encode_varints.");
}
