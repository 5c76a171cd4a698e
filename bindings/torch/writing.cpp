// The helpers of the record writer as torch operators: checksums, frames and varints.
//
// Shows:  an operator whose result is a number; a new tensor whose size depends on the data.
// Build:  bindings/torch/CMakeLists.txt.
// Bites:  every integer is an int64 in a schema, whatever its type in C.
#include "common.hpp"

#include <memory>

// ---- kernels -------------------------------------------------------------------------------

static constexpr size_t LONGEST_VARINT = 10;

static int64_t crc32c(const Tensor &buffer, int64_t before) {
  STD_TORCH_CHECK(before >= 0 && before <= UINT32_MAX, "before must fit 32 bits");
  return ck_crc32c(elements<uint8_t>(buffer, "buffer"), size_of(buffer),
                   static_cast<uint32_t>(before));
}

static Tensor frame_records(const Tensor &records, const Tensor &sizes) {
  size_t size = size_of(records), n = size_of(sizes);
  Tensor framed = new_tensor<uint8_t>({static_cast<int64_t>(size + n * CK_FRAMING)});
  int code =
      ck_frame_records(elements<uint8_t>(records, "records"), size,
                       elements<int64_t>(sizes, "sizes"), n, writable<uint8_t>(framed, "framed"));
  STD_TORCH_CHECK(code == CK_OK, "sizes must be those of the records");
  return framed;
}

static Tensor encode_varints(const Tensor &values) {
  std::unique_ptr<uint8_t[]> out(new uint8_t[LONGEST_VARINT * size_of(values)]);
  size_t size = ck_encode_varints(elements<int64_t>(values, "values"), size_of(values), out.get());
  return tensor_from(out.get(), size);
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("crc32c(Tensor buffer, int before=0) -> int");
  m.def("frame_records(Tensor records, Tensor sizes) -> Tensor");
  m.def("encode_varints(Tensor values) -> Tensor");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("crc32c", TORCH_BOX(&crc32c));
  m.impl("frame_records", TORCH_BOX(&frame_records));
  m.impl("encode_varints", TORCH_BOX(&encode_varints));
}
