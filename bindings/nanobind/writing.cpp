// The helpers of the record writer through nanobind: checksums, frames and varints.
//
// Shows:  the GIL released only where the work is long enough; bytes made of memory that a kernel
//         filled.
// Build:  nanobind_add_module(... NOMINSIZE writing.cpp).
// Bites:  an nb::ndarray parameter raises TypeError for a wrong layout, ndarray_of ValueError.
#include <memory>
#include <optional>
#include <stdexcept>

#include "bytes.hpp"
#include "memory.hpp"
#include "numbers.hpp"
#include "type_error.hpp"

// ---- arguments -----------------------------------------------------------------------------

static constexpr size_t WORTH_THE_GIL = 4096, LONGEST_VARINT = 10; // bytes

template <class Work> static auto without_gil(size_t size, Work work) {
  std::optional<nb::gil_scoped_release> release;
  if (size >= WORTH_THE_GIL)
    release.emplace();
  return work();
}

// ---- kernels -------------------------------------------------------------------------------

static uint32_t crc32c(nb::handle buffer, Int start) {
  int64_t before = value_of(start);
  if (before < 0 || before > UINT32_MAX)
    throw std::overflow_error("before must fit 32 bits");
  Bytes bytes(buffer);
  return without_gil(bytes.size(), [&] {
    return ck_crc32c(bytes.data(), bytes.size(), static_cast<uint32_t>(before));
  });
}

// The frames of bytes objects, which cannot change and are read without the GIL. Their list can
// change, so a tuple holds them.
static nb::bytes frame_records(const nb::object &records) {
  if (!nb::isinstance<nb::list>(records) && !nb::isinstance<nb::tuple>(records))
    refuse_type("records must be a list or tuple of bytes", records);
  nb::tuple tuple(records);
  size_t size = 0;
  for (nb::handle record : tuple) {
    if (!nb::isinstance<nb::bytes>(record))
      refuse_type("records must be a list or tuple of bytes", record);
    size += static_cast<size_t>(PyBytes_GET_SIZE(record.ptr())) + CK_FRAMING;
  }
  auto framed =
      nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
  if (!framed.is_valid())
    throw nb::python_error();
  auto out = reinterpret_cast<uint8_t *>(PyBytes_AS_STRING(framed.ptr()));
  without_gil(size, [&, out]() mutable {
    for (nb::handle record : tuple) {
      auto data = reinterpret_cast<const uint8_t *>(PyBytes_AS_STRING(record.ptr()));
      auto n = static_cast<size_t>(PyBytes_GET_SIZE(record.ptr()));
      ck_frame_record(data, n, out);
      out += n + CK_FRAMING;
    }
  });
  return framed;
}

static nb::bytes encode_varints(nb::handle object) {
  auto values = ndarray_of<const int64_t>(object, "values");
  if (values.ndim() != 1)
    throw nb::value_error("values must be one-dimensional");
  size_t n = values.size();
  std::unique_ptr<uint8_t[]> out(new uint8_t[LONGEST_VARINT * n]);
  size_t size = without_gil(8 * n, [&] { return ck_encode_varints(values.data(), n, out.get()); });
  return nb::bytes(out.get(), size);
}

// ---- module --------------------------------------------------------------------------------

NB_MODULE(writing, m) {
  find_ndarray();
  m.def("crc32c", &crc32c, nb::arg(), nb::arg() = 0, // without names: by position only
        nb::sig("def crc32c(buffer: object, before: int = 0, /) -> int"),
        "Return the CRC-32C of a buffer; see ffi_cookbook.bindings.protocol.Backend.");
  m.def("frame_records", &frame_records, nb::arg(),
        nb::sig("def frame_records(records: collections.abc.Sequence[bytes], /) -> bytes"),
        "Return records framed as TFRecord data; see ffi_cookbook.bindings.protocol.Backend.");
  m.def("encode_varints", &encode_varints, nb::arg(),
        nb::sig("def encode_varints(values: numpy.typing.NDArray[numpy.int64], /) -> bytes"),
        "Return int64 values as varints; see ffi_cookbook.bindings.protocol.Backend.");
}
