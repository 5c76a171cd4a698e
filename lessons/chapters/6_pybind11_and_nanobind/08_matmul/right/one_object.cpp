// `out` is any object, and is returned as the same one.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "product.h"

namespace nb = nanobind;

template <class T> using In = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;
template <class T> using Out = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
static nb::object matmul(const In<T> &a, const In<T> &b, nb::object out, int64_t threads) {
  if (out.is_none()) {
    nb::object dtype = nb::str(sizeof(T) == 4 ? "f" : "d");
    out =
        nb::module_::import_("numpy").attr("empty")(nb::make_tuple(a.shape(0), b.shape(1)), dtype);
  }
  Out<T> result;
  if (!nb::try_cast(out, result, false))
    throw nb::type_error("out must be a C-contiguous array of the dtype of a and b");
  Matrix<const T> x{a.data(), a.shape(0), a.shape(1), a.stride(0), a.stride(1)};
  Matrix<const T> y{b.data(), b.shape(0), b.shape(1), b.stride(0), b.stride(1)};
  Matrix<T> z{result.data(), result.shape(0), result.shape(1), result.stride(0), result.stride(1)};
  check(x, y, z, threads);
  {
    nb::gil_scoped_release release;
    multiply(x, y, z);
  }
  return out;
}

NB_MODULE(exercise, m) {
  auto define = [&]<class T>(T) {
    m.def("matmul", &matmul<T>, nb::arg("a").noconvert(), nb::arg("b").noconvert(), nb::kw_only(),
          nb::arg("out") = nb::none(), nb::arg("threads") = 1);
  };
  define(1.0f);
  define(1.0);
}
