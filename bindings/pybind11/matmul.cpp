// matmul through pybind11.
//
// Shows:  one template bound twice as overloads, chosen by dtype; py::array_t, borrowed with any
//         strides and made anew; std::optional; keyword-only arguments; the GIL released around the
//         kernel.
// Build:  pybind11_add_module(... matmul.cpp).
// Bites:  without py::arg().noconvert() an array of another dtype is silently copied and converted;
//         array_t's default flag forcecast does so even for lists. mutable_data() is what refuses a
//         read-only array, data() does not.
#include <pybind11/stl.h>

#include <new>
#include <optional>

#include "common.hpp"

template <class T> using Matrix = py::array_t<T, 0>;

// ---- arguments -----------------------------------------------------------------------------

static void check_matrix(const py::array &matrix, const char *name) {
  if (matrix.ndim() != 2)
    throw py::value_error(std::string(name) + " must have 2 dimensions, not " +
                          std::to_string(matrix.ndim()));
}

struct Bounds {
  const char *low, *high; // the first and one past the last byte
};

static Bounds memory_bounds(const py::array &array) {
  const char *start = static_cast<const char *>(array.data());
  Bounds bounds{start, start};
  if (array.size() == 0)
    return bounds;
  for (int i = 0; i < 2; i++) {
    py::ssize_t extent = (array.shape(i) - 1) * array.strides(i);
    (extent < 0 ? bounds.low : bounds.high) += extent;
  }
  bounds.high += array.itemsize();
  return bounds;
}

static bool may_overlap(const py::array &x, const py::array &y) {
  Bounds a = memory_bounds(x), b = memory_bounds(y);
  return a.low < b.high && b.low < a.high;
}

static void check_out(const py::array &out, const py::array &a, const py::array &b) {
  constexpr int carray = py::array::c_style | py::detail::npy_api::NPY_ARRAY_ALIGNED_ |
                         py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  check_matrix(out, "out");
  if (out.shape(0) != a.shape(0) || out.shape(1) != b.shape(1))
    throw py::value_error("out must have as many rows as a and as many columns as b");
  if ((out.flags() & carray) != carray)
    throw py::value_error("out must be C-contiguous, aligned and writable");
  if (may_overlap(out, a) || may_overlap(out, b))
    throw py::value_error("out must not overlap a or b");
}

template <class T> static Matrix<T> new_matrix(py::ssize_t m, py::ssize_t n) {
  py::ssize_t size;
  if (__builtin_mul_overflow(m, n, &size) || __builtin_mul_overflow(size, sizeof(T), &size))
    throw std::bad_alloc(); // MemoryError; NumPy would say ValueError
  return Matrix<T>({m, n});
}

// ---- kernel --------------------------------------------------------------------------------

template <class T>
static Matrix<T> matmul(const Matrix<T> &a, const Matrix<T> &b, std::optional<Matrix<T>> given,
                        long threads) {
  int most = checked_threads(threads);
  check_matrix(a, "a");
  check_matrix(b, "b");
  int64_t m = a.shape(0), k = a.shape(1), n = b.shape(1);
  if (k != b.shape(0))
    throw py::value_error("a has " + std::to_string(k) + " columns but b has " +
                          std::to_string(b.shape(0)) + " rows");
  if (given)
    check_out(*given, a, b);
  Matrix<T> out = given ? *given : new_matrix<T>(m, n);
  T *result = out.mutable_data();
  constexpr auto kernel = [] {
    if constexpr (sizeof(T) == 4)
      return ck_matmul_f32;
    else
      return ck_matmul_f64;
  }();
  {
    py::gil_scoped_release release;
    kernel(a.data(), a.strides(0), a.strides(1), b.data(), b.strides(0), b.strides(1), result, m, k,
           n, most);
  }
  return out;
}

// ---- module --------------------------------------------------------------------------------

template <class T> static void bind(py::module_ &m) {
  m.def("matmul", &matmul<T>, py::arg("a").noconvert(), py::arg("b").noconvert(), py::kw_only(),
        py::arg("out").noconvert() = py::none(), py::arg("threads") = 1,
        "a @ b; see bindings.protocol.Backend.matmul.");
}

COOKBOOK_MODULE(matmul, m) {
  bind<float>(m);
  bind<double>(m);
}
