// matmul through pybind11.
//
// Shows:  arrays of any strides, borrowed, and made anew; a dtype asked for with py::isinstance; the
//         GIL released around the kernel; arguments whose types are in the signature only.
// Build:  pybind11_add_module(... matmul.cpp).
// Bites:  an argument of type py::array_t passes through a conversion, which takes longer than a small
//         product even where there is nothing to convert, and makes another array of a subclass.
//         Arguments are converted in order, and the __index__ of the last can change the arrays
//         before it: their dtype and sizes are read when all are converted.
#include <pybind11/typing.h>
#include <vector>

#include "common.hpp"

// The types of a signature; pybind11 checks none of them.
using Array = py::typing::Union<py::array_t<float>, py::array_t<double>>;
using Out = py::typing::Optional<Array>;

// ---- arguments -----------------------------------------------------------------------------

// Describe an array for the kernel, which checks it.
static ck_array describe(py::handle object, const char *name) {
  if (!py::isinstance<py::array>(object))
    throw py::type_error(std::string(name) + " must be a numpy.ndarray");
  auto array = py::reinterpret_borrow<py::array>(object);
  ck_array view{const_cast<void *>(array.data()), 0, static_cast<int32_t>(array.ndim())};
  if (py::isinstance<py::array_t<float>>(array))
    view.dtype = CK_FLOAT32;
  else if (py::isinstance<py::array_t<double>>(array))
    view.dtype = CK_FLOAT64;
  for (int32_t i = 0; i < view.ndim && i < 3; i++) {
    view.shape[i] = static_cast<int64_t>(array.shape(i));
    view.strides[i] = array.strides(i); // of bytes
  }
  return view;
}

// ---- kernel --------------------------------------------------------------------------------

static Array matmul(const Array &a, const Array &b, Out out, int64_t threads) {
  ck_array x = describe(a, "a"), y = describe(b, "b"), product;
  ck_error error;
  if (out.is_none()) {
    if (ck_matmul_shape(&x, &y, &product, &error) != CK_OK)
      raise_error("matmul_error", error);
    std::vector<py::ssize_t> shape(product.shape, product.shape + product.ndim);
    out =
        py::array(x.dtype == CK_FLOAT32 ? py::dtype::of<float>() : py::dtype::of<double>(), shape);
  }
  product = describe(out, "out");
  if (!py::reinterpret_borrow<py::array>(out).writeable())
    throw py::value_error("out must be writable");
  int code;
  {
    py::gil_scoped_release release;
    code = ck_matmul(&x, &y, &product, threads, &error);
  }
  if (code != CK_OK)
    raise_error("matmul_error", error, out);
  return out;
}

// ---- module --------------------------------------------------------------------------------

COOKBOOK_MODULE(matmul, m) {
  m.def("matmul", &matmul, py::arg("a"), py::arg("b"), py::kw_only(), py::arg("out") = py::none(),
        py::arg("threads").noconvert() = 1, "a @ b; see bindings.protocol.Backend.matmul.");
}
