#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string_view.h>

#include <stdexcept>

namespace nb = nanobind;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

NB_MODULE(calls_nanobind, m) {
  m.def("noop", [] {});
  m.def("add", [](long long a, long long b) { return a + b; });
  m.def("length", [](std::string_view text) { return text.size(); });
  m.def("total", [](const Vector &values) {
    double sum = 0;
    for (size_t i = 0; i < values.size(); i++)
      sum += values.data()[i];
    return sum;
  });
  m.def("fail", [] { throw std::invalid_argument("failed"); });
}
