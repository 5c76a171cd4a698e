// matmul through pybind11.
//
// Shows:  one template as an overload for each dtype; arrays borrowed with any strides, and made
//         anew; the GIL released around a long kernel; an argument whose type appears in the
//         signature only.
// Build:  pybind11_add_module(... matmul.cpp).
// Bites:  array_t as an argument copies an array of another dtype, and makes a new object for a
//         subclass; the __index__ of the last argument can change the arrays before it.
#include <pybind11/typing.h>

#include <optional>
#include <vector>

#include "errors.hpp"
#include "module.hpp"
#include "numbers.hpp"
#include "plain.hpp"

// ---- arguments -----------------------------------------------------------------------------

template <class T> using In = Shown<Array<T>>;
template <class T> using Out = Shown<py::typing::Optional<Array<T>>>;

// Describe an array for the kernel, which checks it.
template <class T> static ck_array describe(const Array<T> &array) {
  ck_array view{const_cast<T *>(array.data()), int32_t{sizeof(T)},
                static_cast<int32_t>(array.ndim())};
  for (int32_t i = 0; i < view.ndim && i < 3; i++) {
    view.shape[i] = static_cast<int64_t>(array.shape(i));
    view.strides[i] = array.strides(i); // of bytes
  }
  return view;
}

// ---- kernel --------------------------------------------------------------------------------

template <class T> static Array<T> matmul(First<T> a, In<T> b, Out<T> out, int64_t threads) {
  auto left = borrowed<T>(a.object, "a"), right = borrowed<T>(b, "b");
  ck_array x = describe(left), y = describe(right), product;
  ck_error error;
  if (out.is_none()) {
    if (ck_matmul_shape(&x, &y, &product, &error) != CK_OK)
      raise_error("matmul_error", error);
    out = Array<T>(std::vector<py::ssize_t>(product.shape, product.shape + product.ndim));
  }
  auto result = borrowed<T>(out, "out");
  if (!result.writeable())
    throw py::value_error("out must be writable");
  product = describe(result);
  int code;
  {
    std::optional<py::gil_scoped_release> release;
    if (!ck_matmul_is_brief(&x, &y))
      release.emplace();
    code = ck_matmul(&x, &y, &product, threads, &error);
  }
  if (code != CK_OK)
    raise_error("matmul_error", error, out);
  return result;
}

// ---- module --------------------------------------------------------------------------------

template <class Function> static void define(py::module_ &m, Function *matmul) {
  m.def("matmul", matmul, py::arg("a").noconvert(), py::arg("b").noconvert(), py::kw_only(),
        py::arg("out").noconvert() = py::none(), py::arg("threads") = 1,
        "Return a @ b; see protocol.Backend.");
}

PYBIND11_MODULE(matmul, m, py::mod_gil_not_used(), py::multiple_interpreters::not_supported()) {
  define(m, matmul<float>);
  define(m, matmul<double>);
  guard(m.attr("__dict__"));
}
