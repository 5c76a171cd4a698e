#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "scan.h"
#include <exception>

namespace nb = nanobind;
using namespace nb::literals;

using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

static size_t watch(const Values &values, double limit, const nb::callable &callback) {
  size_t calls = 0;
  std::exception_ptr error;
  {
    nb::gil_scoped_release release;
    scan(values.data(), values.size(), limit, [&](size_t i) {
      nb::gil_scoped_acquire acquire;
      try {
        callback(i, values(i));
        calls++;
      } catch (...) {
        error = std::current_exception();
      }
      return !error;
    });
  }
  if (error)
    std::rethrow_exception(error);
  return calls;
}

NB_MODULE(exercise, m) { m.def("watch", &watch, "values"_a.noconvert(), "limit"_a, "callback"_a); }
