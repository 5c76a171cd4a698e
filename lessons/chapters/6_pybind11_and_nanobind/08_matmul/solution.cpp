// Write matmul(a, b, *, out=None, threads=1): your own binding of a product of matrices.
//
//   >>> exercise.matmul(np.ones((2, 3)), np.ones((3, 1)))
//   array([[3.],
//          [3.]])
//
//   - a and b are both float32 or both float64, with two dimensions and any strides; they may be
//     read-only, and are not copied. Anything else raises TypeError.
//   - `out` is None, or a C-contiguous, writable array of that dtype, which is filled and returned;
//     else TypeError. Without it the result is a new array.
//   - `out` and `threads` can only be given by name.
//   - `check` of product.h refuses wrong sizes and overlap by std::invalid_argument, which becomes
//     ValueError. The GIL is released around `multiply`.
//
// The names and the signature are those of every binding of this project. CMakeLists.txt builds
// the module outside of the lessons.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
//:
//: #include "product.h"
// BEGIN SOLUTION
#include <nanobind/stl/optional.h>

#include "product.h"
#include <memory>
// END SOLUTION

namespace nb = nanobind;
using namespace nb::literals;

//: NB_MODULE(exercise, m) {
//:   (void)m; // TODO: one template, bound once for float and once for double
// BEGIN SOLUTION
template <class T> using In = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T, class Array> static Matrix<T> matrix(const Array &array) {
  return {array.data(), array.shape(0), array.shape(1), array.stride(0), array.stride(1)};
}

template <class T> static Out<T> made(size_t rows, size_t columns) {
  auto data = std::make_unique<T[]>(rows * columns);
  nb::capsule owner(data.get(), [](void *memory) noexcept { delete[] static_cast<T *>(memory); });
  return Out<T>(data.release(), {rows, columns}, owner);
}

template <class T>
static Out<T> matmul(In<T> a, In<T> b, std::optional<Out<T>> out, int64_t threads) {
  Out<T> result = out ? *out : made<T>(a.shape(0), b.shape(1));
  auto x = matrix<const T>(a), y = matrix<const T>(b);
  auto z = matrix<T>(result);
  check(x, y, z, threads);
  {
    nb::gil_scoped_release release;
    multiply(x, y, z);
  }
  return result;
}

template <class T> static void define(nb::module_ &m) {
  m.def("matmul", &matmul<T>, "a"_a.noconvert(), "b"_a.noconvert(), nb::kw_only(),
        "out"_a.noconvert() = nb::none(), "threads"_a = 1, "Return a @ b.");
}

NB_MODULE(exercise, m) {
  define<float>(m);
  define<double>(m);
  // END SOLUTION
}
