// matmul through pybind11.
//
// Shows:  one template for both dtypes; arrays borrowed with any strides, and made anew; the GIL
//         released around the kernel; an argument whose type is in its signature only.
// Build:  pybind11_add_module(... matmul.cpp).
// Bites:  py::array_t as the type of an argument copies and converts, and even with noconvert() its
//         dtype is checked before the __index__ of a later argument, which can set another one. So
//         a and b are taken as they are, and looked at when all arguments have been asked.
#include <pybind11/typing.h>
#include <vector>

#include "common.hpp"

template <class T> using Array = py::array_t<T, 0>;
using Out = py::typing::Optional<py::array>;

// ---- arguments -----------------------------------------------------------------------------

// Describe an array for the kernel, which checks it.
static ck_array describe(const py::array &array) {
  ck_array view{const_cast<void *>(array.data()), static_cast<int32_t>(array.itemsize()),
                static_cast<int32_t>(array.ndim())};
  for (int32_t i = 0; i < view.ndim && i < 3; i++) {
    view.shape[i] = static_cast<int64_t>(array.shape(i));
    view.strides[i] = array.strides(i); // of bytes
  }
  return view;
}

// ---- kernel --------------------------------------------------------------------------------

template <class T>
static py::array product_of(const py::array &a, const py::array &b, Out out, int64_t threads) {
  if (!py::isinstance<Array<T>>(a) || !py::isinstance<Array<T>>(b))
    throw py::type_error("a and b must be numpy arrays, both of float32 or both of float64");
  ck_array x = describe(a), y = describe(b), product;
  ck_error error;
  if (out.is_none()) {
    if (ck_matmul_shape(&x, &y, &product, &error) != CK_OK)
      raise_error("matmul_error", error);
    out = Array<T>(std::vector<py::ssize_t>(product.shape, product.shape + product.ndim));
  }
  if (!py::isinstance<Array<T>>(out))
    throw py::type_error("out must be a numpy.ndarray with the dtype of a and b");
  auto array = py::reinterpret_borrow<py::array>(out);
  if (!array.writeable())
    throw py::value_error("out must be writable");
  product = describe(array);
  int code;
  {
    py::gil_scoped_release release;
    code = ck_matmul(&x, &y, &product, threads, &error);
  }
  if (code != CK_OK)
    raise_error("matmul_error", error, out);
  return array;
}

static py::array matmul(const py::array &a, const py::array &b, const Out &out, py::handle number) {
  const int64_t threads = checked_int64(number);
  return py::isinstance<Array<float>>(a) ? product_of<float>(a, b, out, threads)
                                         : product_of<double>(a, b, out, threads);
}

// ---- module --------------------------------------------------------------------------------

COOKBOOK_MODULE(matmul, m) {
  m.def("matmul", &matmul, py::arg("a"), py::arg("b"), py::kw_only(), py::arg("out") = py::none(),
        py::arg("threads") = 1, "a @ b; see bindings.protocol.Backend.matmul.");
}
