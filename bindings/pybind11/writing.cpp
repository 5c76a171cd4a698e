// The helpers of the record writer through pybind11: checksums, frames and varints.
//
// Shows:  the GIL released only where the work is long enough; py::array_t as an argument that
//         converts nothing; bytes made of memory that a kernel filled.
// Build:  pybind11_add_module(... writing.cpp).
// Bites:  py::array_t<int64_t, 0> still converts a list or another dtype without noconvert().
#include <memory>
#include <optional>
#include <stdexcept>

#include "bytes.hpp"
#include "contiguous.hpp"
#include "integers.hpp"
#include "module.hpp"
#include "tuples.hpp"
#include "type_error.hpp"

// ---- arguments -----------------------------------------------------------------------------

static constexpr size_t WORTH_THE_GIL = 4096, LONGEST_VARINT = 10; // bytes

template <class Work> static auto without_gil(size_t size, Work work) {
  std::optional<py::gil_scoped_release> release;
  if (size >= WORTH_THE_GIL)
    release.emplace();
  return work();
}

// ---- kernels -------------------------------------------------------------------------------

static uint32_t crc32c(const py::buffer &buffer, int64_t before) {
  if (before < 0 || before > UINT32_MAX)
    throw std::overflow_error("before must fit 32 bits");
  Bytes bytes(buffer);
  return without_gil(bytes.size(), [&] {
    return ck_crc32c(bytes.data(), bytes.size(), static_cast<uint32_t>(before));
  });
}

// The frames of bytes objects, which cannot change and are read without the GIL. Their list can
// change, so a tuple holds them.
static py::bytes frame_records(const py::object &records) {
  if (!py::isinstance<py::list>(records) && !py::isinstance<py::tuple>(records))
    refuse_type("records must be a list or tuple of bytes", records);
  py::tuple tuple = tuple_of(records);
  size_t size = 0;
  for (py::handle record : tuple) {
    if (!py::isinstance<py::bytes>(record))
      refuse_type("records must be a list or tuple of bytes", record);
    size += static_cast<size_t>(PyBytes_GET_SIZE(record.ptr())) + CK_FRAMING;
  }
  auto framed = py::reinterpret_steal<py::bytes>(
      PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
  if (!framed)
    throw py::error_already_set();
  auto out = reinterpret_cast<uint8_t *>(PyBytes_AS_STRING(framed.ptr()));
  without_gil(size, [&, out]() mutable {
    for (py::handle record : tuple) {
      auto data = reinterpret_cast<const uint8_t *>(PyBytes_AS_STRING(record.ptr()));
      auto n = static_cast<size_t>(PyBytes_GET_SIZE(record.ptr()));
      ck_frame_record(data, n, out);
      out += n + CK_FRAMING;
    }
  });
  return framed;
}

static py::bytes encode_varints(const py::array_t<int64_t, 0> &values) {
  check_contiguous(values, "values");
  if (values.ndim() != 1)
    throw py::value_error("values must be one-dimensional");
  const int64_t *data = values.data();
  auto n = static_cast<size_t>(values.size());
  std::unique_ptr<uint8_t[]> out(new uint8_t[LONGEST_VARINT * n]);
  size_t size = without_gil(8 * n, [&] { return ck_encode_varints(data, n, out.get()); });
  return {reinterpret_cast<const char *>(out.get()), size};
}

// ---- module --------------------------------------------------------------------------------

COOKBOOK_MODULE(writing, m) {
  m.def("crc32c", &crc32c, py::arg("buffer"), py::arg("before") = 0, py::pos_only(),
        "crc32c(buffer, before=0, /)\n--\n\nReturn the CRC-32C of a buffer; see "
        "ffi_cookbook.bindings.protocol.Backend.");
  m.def("frame_records", &frame_records, py::arg("records"), py::pos_only(),
        "frame_records(records, /)\n--\n\nReturn records framed as TFRecord data; see "
        "ffi_cookbook.bindings.protocol.Backend.");
  m.def("encode_varints", &encode_varints, py::arg("values").noconvert(), py::pos_only(),
        "encode_varints(values, /)\n--\n\nReturn int64 values as varints; see "
        "ffi_cookbook.bindings.protocol.Backend.");
}
