// matmul through pybind11.
//
// Shows:  an overload for each dtype, of one template; arrays borrowed with any strides, and made
//         anew; the GIL released around the kernel; an argument whose type is in its signature only.
// Build:  pybind11_add_module(... matmul.cpp).
// Bites:  without noconvert() array_t copies what has another dtype; it is a new object for a subclass,
//         so `out` is an object. The __index__ of the last argument can change the arrays before it.
#include <vector>

#include "common.hpp"

template <class T> using In = py::array_t<T, 0>;
template <class T> using Out = py::typing::Optional<In<T>>;
using Int = py::typing::Union<py::int_>;

// ---- arguments -----------------------------------------------------------------------------

// Describe an array for the kernel, which checks it.
template <class T> static ck_array describe(const In<T> &array) {
  int32_t dtype = py::isinstance<In<T>>(array) ? sizeof(T) : 0; // which the kernel refuses
  ck_array view{const_cast<T *>(array.data()), dtype, static_cast<int32_t>(array.ndim())};
  for (int32_t i = 0; i < view.ndim && i < 3; i++) {
    view.shape[i] = static_cast<int64_t>(array.shape(i));
    view.strides[i] = array.strides(i); // of bytes
  }
  return view;
}

// ---- kernel --------------------------------------------------------------------------------

template <class T> static In<T> matmul(const In<T> &a, const In<T> &b, Out<T> out, Int number) {
  int64_t threads = checked_int64(number);
  ck_array x = describe(a), y = describe(b), product;
  ck_error error;
  if (out.is_none()) {
    if (ck_matmul_shape(&x, &y, &product, &error) != CK_OK)
      raise_error("matmul_error", error);
    out = In<T>(std::vector<py::ssize_t>(product.shape, product.shape + product.ndim));
  }
  if (!py::isinstance<In<T>>(out))
    throw py::type_error("out must be a numpy.ndarray with the dtype of a and b");
  auto array = py::reinterpret_borrow<In<T>>(out);
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

// ---- module --------------------------------------------------------------------------------

template <class Function> static void define(py::module_ &m, Function *matmul) {
  m.def("matmul", matmul, py::arg("a").noconvert(), py::arg("b").noconvert(), py::kw_only(),
        py::arg("out").noconvert() = py::none(), py::arg("threads") = 1,
        "Return a @ b; see bindings.protocol.Backend.");
}

PYBIND11_MODULE(matmul, m, py::mod_gil_not_used(), py::multiple_interpreters::not_supported()) {
  define(m, matmul<float>);
  define(m, matmul<double>);
}
