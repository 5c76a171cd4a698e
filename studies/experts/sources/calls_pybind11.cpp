#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <stdexcept>
#include <string_view>

namespace py = pybind11;

PYBIND11_MODULE(calls_pybind11, m) {
  m.def("noop", [] {});
  m.def("add", [](long long a, long long b) { return a + b; });
  m.def("length", [](std::string_view text) { return text.size(); });
  m.def("total", [](const py::array_t<double, py::array::c_style> &values) {
    double sum = 0;
    for (py::ssize_t i = 0; i < values.size(); i++)
      sum += values.data()[i];
    return sum;
  });
  m.def("total_buffer", [](const py::buffer &values) {
    const py::buffer_info view = values.request();
    double sum = 0;
    for (py::ssize_t i = 0; i < view.size; i++)
      sum += static_cast<const double *>(view.ptr)[i];
    return sum;
  });
  m.def("fail", [] { throw std::invalid_argument("failed"); });
}
