// matmul through pybind11.
//
// Shows:  one template for both dtypes, chosen by what the arguments are; py::array_t, borrowed with
//         any strides and made anew; keyword-only arguments; the GIL released around the kernel.
// Build:  pybind11_add_module(... matmul.cpp).
// Bites:  as the type of an argument array_t copies and converts what has another dtype, unless
//         py::arg().noconvert() says otherwise; it is also looked at before the arguments behind
//         it are converted, which can run code that reshapes it: here `threads` comes first.
#include <pybind11/stl.h>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "common.hpp"

template <class T> using Array = py::array_t<T, 0>;
using Shape = std::vector<py::ssize_t>;

// ---- arguments -----------------------------------------------------------------------------

// An array as the kernel sees it: a batch of matrices, of one where there are two dimensions.
struct Matrices {
  py::ssize_t count, rows, columns, next, row, column; // the last three are strides
};

static Matrices matrices(const py::array &array, const char *name) {
  const py::ssize_t *shape = array.shape(), *strides = array.strides();
  py::ssize_t d = array.ndim() - 2; // where the matrix begins
  if (d != 0 && d != 1)
    throw py::value_error(std::string(name) + " must have 2 or 3 dimensions, not " +
                          std::to_string(array.ndim()));
  py::ssize_t count = d == 0 ? 1 : shape[0];
  return {count, shape[d], shape[d + 1], count == 1 ? 0 : strides[0], strides[d], strides[d + 1]};
}

// Does the memory between an array's first and last element meet that of `out`, which has no gaps?
static bool may_overlap(const py::array &array, const py::array &out) {
  const char *first = static_cast<const char *>(array.data()), *last = first;
  const char *low = static_cast<const char *>(out.data()), *high = low + out.nbytes();
  for (py::ssize_t i = 0; i < array.ndim(); i++) {
    py::ssize_t extent = (array.shape(i) - 1) * array.strides(i);
    (extent < 0 ? first : last) += extent;
  }
  return array.size() > 0 && low < high && first < high && low < last + array.itemsize();
}

static void check_out(const py::array &out, const py::array &a, const py::array &b,
                      const Shape &shape) {
  Shape given(out.shape(), out.shape() + out.ndim());
  constexpr int carray = py::array::c_style | py::detail::npy_api::NPY_ARRAY_ALIGNED_ |
                         py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  matrices(out, "out");
  if (given != shape)
    throw py::value_error(py::str("out must have shape {}, not {}")
                              .format(py::tuple(py::cast(shape)), py::tuple(py::cast(given)))
                              .cast<std::string>());
  if ((out.flags() & carray) != carray)
    throw py::value_error("out must be C-contiguous, aligned and writable");
  if (may_overlap(a, out) || may_overlap(b, out))
    throw py::value_error("out must not overlap a or b");
}

template <class T> static Array<T> new_array(const Shape &shape) {
  py::ssize_t size = sizeof(T);
  for (py::ssize_t side : shape)
    if (__builtin_mul_overflow(size, std::max<py::ssize_t>(side, 1), &size))
      throw std::bad_alloc(); // MemoryError; NumPy would say ValueError
  return Array<T>(shape);
}

// ---- kernel --------------------------------------------------------------------------------

template <class T>
static py::object multiply(const py::array &a, const py::array &b, py::object out, int threads) {
  if (!out.is_none() && !py::isinstance<Array<T>>(out))
    throw py::type_error("out must be a numpy.ndarray with the dtype of a and b");
  Matrices x = matrices(a, "a"), y = matrices(b, "b");
  if (x.columns != y.rows)
    throw py::value_error("a has " + std::to_string(x.columns) + " columns but b has " +
                          std::to_string(y.rows) + " rows");
  if (x.count != y.count && x.count != 1 && y.count != 1)
    throw py::value_error("a has " + std::to_string(x.count) + " matrices but b has " +
                          std::to_string(y.count));
  py::ssize_t count = x.count == 1 ? y.count : x.count;
  Shape shape{count, x.rows, y.columns};
  if (a.ndim() == 2 && b.ndim() == 2)
    shape.erase(shape.begin());
  if (out.is_none())
    out = new_array<T>(shape);
  else
    check_out(py::reinterpret_borrow<py::array>(out), a, b, shape);
  T *result = static_cast<T *>(py::reinterpret_borrow<py::array>(out).mutable_data());
  constexpr auto kernel = [] {
    if constexpr (sizeof(T) == 4)
      return ck_matmul_f32;
    else
      return ck_matmul_f64;
  }();
  {
    py::gil_scoped_release release;
    kernel(a.data(), x.next, x.row, x.column, b.data(), y.next, y.row, y.column, result, count,
           x.rows, x.columns, y.columns, threads);
  }
  return out;
}

// Whether both are arrays of T; nothing is converted.
template <class T> static bool are_arrays(py::handle a, py::handle b) {
  return py::isinstance<Array<T>>(a) && py::isinstance<Array<T>>(b);
}

static py::object matmul(const py::object &a, const py::object &b, py::object out,
                         const py::object &threads) {
  int most = checked_threads(threads); // first: it can run code, which changes the arrays
  auto multiply_as = are_arrays<float>(a, b)    ? multiply<float>
                     : are_arrays<double>(a, b) ? multiply<double>
                                                : nullptr;
  if (!multiply_as)
    throw py::type_error("a and b must be arrays of numpy, both float32 or both float64, in native "
                         "byte order");
  return multiply_as(py::reinterpret_borrow<py::array>(a), py::reinterpret_borrow<py::array>(b),
                     std::move(out), most);
}

// ---- module --------------------------------------------------------------------------------

COOKBOOK_MODULE(matmul, m) {
  m.def("matmul", &matmul, py::arg("a"), py::arg("b"), py::kw_only(), py::arg("out") = py::none(),
        py::arg("threads") = 1, "a @ b; see bindings.protocol.Backend.matmul.");
}
