// matmul through pybind11.
//
// Shows:  one template bound twice as overloads, chosen by dtype; py::array_t, borrowed with any
//         strides and made anew; keyword-only arguments; the GIL released around the kernel.
// Build:  pybind11_add_module(... matmul.cpp).
// Bites:  without py::arg().noconvert() an array of another dtype is silently copied and converted;
//         array_t's default flag forcecast does so even for lists. An argument of type array_t is
//         not always the object given: of a subclass it is the array beneath, and `out` is returned.
#include <pybind11/stl.h>

#include <algorithm>
#include <new>
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

template <class T>
static void check_out(const py::object &object, const py::array &a, const py::array &b,
                      const Shape &shape) {
  if (!py::isinstance<Array<T>>(object))
    throw py::type_error("out must be a numpy.ndarray with the dtype of a and b");
  auto out = py::reinterpret_borrow<py::array>(object);
  constexpr int carray = py::array::c_style | py::detail::npy_api::NPY_ARRAY_ALIGNED_ |
                         py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  matrices(out, "out");
  if (!std::equal(shape.begin(), shape.end(), out.shape(), out.shape() + out.ndim()))
    throw py::value_error(py::str("out must have shape {}, not {}")
                              .format(py::tuple(py::cast(shape)), out.attr("shape"))
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
static py::object matmul(const Array<T> &a, const Array<T> &b, py::object out,
                         const py::object &threads) {
  int most = checked_threads(threads);
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
    check_out<T>(out, a, b, shape);
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
           x.rows, x.columns, y.columns, most);
  }
  return out;
}

// ---- module --------------------------------------------------------------------------------

template <class T> static void bind(py::module_ &m) {
  m.def("matmul", &matmul<T>, py::arg("a").noconvert(), py::arg("b").noconvert(), py::kw_only(),
        py::arg("out") = py::none(), py::arg("threads") = 1,
        "a @ b; see bindings.protocol.Backend.matmul.");
}

COOKBOOK_MODULE(matmul, m) {
  bind<float>(m);
  bind<double>(m);
}
