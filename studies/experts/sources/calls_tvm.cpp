#include <tvm/ffi/tvm_ffi.h>

#include <string>

namespace ffi = tvm::ffi;

static void noop() {}

static int64_t add(int64_t a, int64_t b) { return a + b; }

static int64_t length(const ffi::String &text) { return static_cast<int64_t>(text.size()); }

static double total(ffi::TensorView values) {
  if (values.ndim() != 1 || values.dtype() != DLDataType{kDLFloat, 64, 1} ||
      values.device().device_type != kDLCPU || !values.IsContiguous())
    TVM_FFI_THROW(TypeError) << "expected a vector of doubles";
  const double *data = static_cast<const double *>(values.data_ptr());
  double sum = 0;
  for (int64_t i = 0; i < values.size(0); i++)
    sum += data[i];
  return sum;
}

static void fail() { TVM_FFI_THROW(ValueError) << "failed"; }

TVM_FFI_DLL_EXPORT_TYPED_FUNC(noop, noop);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(add, add);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(length, length);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(total, total);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fail, fail);
