// matmul through nanobind.
//
// Shows:  an overload for each dtype, of one template; arrays borrowed with any strides, and made
//         anew; the GIL released around the kernel; an overload that takes what the others refuse.
// Build:  nanobind_add_module(... NOMINSIZE matmul.cpp).
// Bites:  the default build is -Os; what is borrowed twice may be another array the second time.
#include <nanobind/stl/optional.h>
#include <vector>

#include "common.hpp"

template <class T> using In = nb::ndarray<const T, nb::device::cpu>;
template <class T> using Out = nb::ndarray<T, nb::numpy, nb::device::cpu>;

// ---- arguments -----------------------------------------------------------------------------

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

template <class T>
static Out<T> matmul(const In<T> &a, const In<T> &b, std::optional<Out<T>> out, int64_t threads) {
  ck_array x = describe(a), y = describe(b), product;
  ck_error error;
  if (!out) {
    if (ck_matmul_shape(&x, &y, &product, &error) != CK_OK)
      raise_error("matmul_error", error);
    std::vector<size_t> shape(product.shape, product.shape + product.ndim);
    nb::capsule owner(operator new(static_cast<size_t>(product.shape[0] * product.strides[0])),
                      [](void *memory) noexcept { operator delete(memory); });
    out = Out<T>(owner.data(), shape.size(), shape.data(), owner);
  }
  product = describe(*out);
  int code;
  {
    nb::gil_scoped_release release;
    code = ck_matmul(&x, &y, &product, threads, &error);
  }
  if (code != CK_OK)
    raise_error("matmul_error", error, nb::cast(out));
  return *out;
}

// DLPack counts strides in elements: copy operands that have others, if `out` is not in their memory.
static nb::object matmul_copies(nb::object a, nb::object b, nb::object out, nb::object threads) {
  nb::module_ numpy = nb::module_::import_("numpy");
  nb::object ndarray = numpy.attr("ndarray"), copy = numpy.attr("ascontiguousarray");
  bool arrays = nb::isinstance(a, ndarray) && nb::isinstance(b, ndarray);
  nb::object x = arrays ? copy(a) : a, y = arrays ? copy(b) : b;
  if (x.is(a) && y.is(b))
    throw nb::next_overload();
  auto shared = numpy.attr("may_share_memory");
  if (!out.is_none() && (nb::cast<bool>(shared(a, out)) || nb::cast<bool>(shared(b, out))))
    raise_error("matmul_error", {CK_OVERLAP, 0, 0, 2, 0, 0});
  return nb::module_::import_("bindings.nanobind.matmul")
      .attr("matmul")(x, y, nb::arg("out") = out, nb::arg("threads") = threads);
}

// ---- module --------------------------------------------------------------------------------

template <class Function> static void define(nb::module_ &m, Function *matmul) {
  m.def("matmul", matmul, nb::arg("a").noconvert(), nb::arg("b").noconvert(), nb::kw_only(),
        nb::arg("out").noconvert() = nb::none(), nb::arg("threads") = 1,
        "a @ b; see bindings.protocol.Backend.matmul.");
}

NB_MODULE(matmul, m) {
  define(m, matmul<float>);
  define(m, matmul<double>);
  define(m, matmul_copies);
}
