// What a writer of records needs, as torch operators: a checksum, and integers as varints.
//
// Shows:  an operator whose result is a number; a new tensor of a size that only the data knows.
// Build:  bindings/torch/CMakeLists.txt.
// Bites:  a number is an int64 here, whatever C makes of it.
#include "common.hpp"

#include <memory>

// ---- kernels -------------------------------------------------------------------------------

static constexpr size_t LONGEST_VARINT = 10;

static int64_t crc32c(const Tensor &buffer) {
  return ck_crc32c(elements<uint8_t>(buffer, "buffer"), size_of(buffer));
}

static Tensor encode_varints(const Tensor &values) {
  std::unique_ptr<uint8_t[]> out(new uint8_t[LONGEST_VARINT * size_of(values)]);
  size_t size = ck_encode_varints(elements<int64_t>(values, "values"), size_of(values), out.get());
  return tensor_from(out.get(), size);
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("crc32c(Tensor buffer) -> int");
  m.def("encode_varints(Tensor values) -> Tensor");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("crc32c", TORCH_BOX(&crc32c));
  m.impl("encode_varints", TORCH_BOX(&encode_varints));
}
