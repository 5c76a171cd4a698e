// One function for both types, which compares the dtypes itself.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include "product.h"

namespace nb = nanobind;
using namespace nb::literals;

using In = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using Out = nb::ndarray<nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T> static void run(const In &a, const In &b, const Out &out, int64_t threads) {
  auto described = [](const auto &m, auto *data) {
    return Matrix<std::remove_pointer_t<decltype(data)>>{data, m.shape(0), m.shape(1), m.stride(0),
                                                         m.stride(1)};
  };
  auto x = described(a, static_cast<const T *>(a.data()));
  auto y = described(b, static_cast<const T *>(b.data()));
  auto z = described(out, static_cast<T *>(out.data()));
  check(x, y, z, threads);
  nb::gil_scoped_release release;
  multiply(x, y, z);
}

static nb::object matmul(const In &a, const In &b, std::optional<Out> out, int64_t threads) {
  bool floats = a.dtype() == nb::dtype<float>();
  if (!floats && a.dtype() != nb::dtype<double>())
    throw nb::type_error("a must be float32 or float64");
  if (b.dtype() != a.dtype() || (out && out->dtype() != a.dtype()))
    throw nb::type_error("a, b and out must have the same dtype");
  if (!out) {
    size_t shape[] = {a.shape(0), b.shape(1)};
    auto *data = new char[shape[0] * shape[1] * a.itemsize()];
    nb::capsule owner(data, [](void *memory) noexcept { delete[] static_cast<char *>(memory); });
    out = Out(data, 2, shape, owner, nullptr, a.dtype());
  }
  floats ? run<float>(a, b, *out, threads) : run<double>(a, b, *out, threads);
  return nb::cast(*out);
}

NB_MODULE(exercise, m) {
  m.def("matmul", &matmul, "a"_a.noconvert(), "b"_a.noconvert(), nb::kw_only(),
        "out"_a.noconvert() = nb::none(), "threads"_a = 1, "Return a @ b.");
}
