// matmul through nanobind.
//
// Shows:  one template as an overload for each dtype; arrays of any strides borrowed, and made;
//         the GIL released around a long kernel; an argument typed in the signature only.
// Build:  nanobind_add_module(... NOMINSIZE matmul.cpp).
// Bites:  the default build is -Os; an object that is borrowed twice may be another array the
//         second time.
#include <nanobind/stl/optional.h>

#include <optional>
#include <vector>

#include "errors.hpp"
#include "numbers.hpp"
#include "plain.hpp"

// ---- arguments -----------------------------------------------------------------------------

template <class T> using New = nb::ndarray<T, nb::numpy, nb::device::cpu>;
template <class T> using In = nb::typed<nb::object, Operand<T>>;
template <class T> using Out = nb::typed<nb::object, std::optional<New<T>>>;
template <class T> using Result = nb::typed<nb::object, New<T>>;

// Describe an array for the kernel, which checks it.
template <class Array> static ck_array describe(const Array &array) {
  ck_array view{const_cast<void *>(static_cast<const void *>(array.data())),
                static_cast<int32_t>(array.itemsize()), static_cast<int32_t>(array.ndim())};
  for (int32_t i = 0; i < view.ndim && i < 3; i++) {
    view.shape[i] = static_cast<int64_t>(array.shape(i));
    view.strides[i] = array.stride(i) * view.dtype; // of elements
  }
  return view;
}

// ---- kernel --------------------------------------------------------------------------------

template <class T> static Result<T> matmul(First<T> a, In<T> b, Out<T> out, Int threads) {
  int64_t n_threads = value_of(threads);
  auto left = borrowed<T>(a.object, out), right = borrowed<T>(b, out);
  ck_array x = describe(left), y = describe(right), product;
  ck_error error;
  New<T> result;
  if (!out.is_none()) {
    if (!nb::try_cast(plain_array(out, "out"), result, false))
      throw nb::value_error("out must be writable, C-contiguous and of the dtype of a and b");
  } else {
    if (ck_matmul_shape(&x, &y, &product, &error) != CK_OK)
      raise_error("matmul_error", error);
    std::vector<size_t> shape(product.shape, product.shape + product.ndim);
    nb::capsule owner(operator new(static_cast<size_t>(product.shape[0] * product.strides[0])),
                      [](void *memory) noexcept { operator delete(memory); });
    result = New<T>(owner.data(), shape.size(), shape.data(), owner);
    out = Out<T>(nb::cast(result));
  }
  product = describe(result);
  int code;
  {
    std::optional<nb::gil_scoped_release> release;
    if (!ck_matmul_is_brief(&x, &y))
      release.emplace();
    code = ck_matmul(&x, &y, &product, n_threads, &error);
  }
  if (code != CK_OK)
    raise_error("matmul_error", error, out);
  return Result<T>(out);
}

// ---- module --------------------------------------------------------------------------------

template <class Function> static void define(nb::module_ &m, Function *matmul) {
  m.def("matmul", matmul, nb::arg("a").noconvert(), nb::arg("b").noconvert(), nb::kw_only(),
        nb::arg("out").noconvert() = nb::none(), nb::arg("threads") = 1,
        "Return a @ b; see protocol.Backend.");
}

NB_MODULE(matmul, m) {
  find_types();
  define(m, matmul<float>);
  define(m, matmul<double>);
}
