// A helper releases the GIL around the work it is given; the callback notes its exception.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "scan.h"

namespace nb = nanobind;
using namespace nb::literals;

static void inside(const std::function<void()> &work) {
  nb::gil_scoped_release release;
  work();
}

static size_t watch(nb::ndarray<const double, nb::ndim<1>, nb::c_contig> values, double limit,
                    nb::callable callback) {
  std::exception_ptr error;
  size_t calls = 0;
  inside([&] {
    scan(values.data(), values.size(), limit, [&](size_t i) noexcept {
      nb::gil_scoped_acquire acquire;
      try {
        nb::object position = nb::cast(i), value = nb::cast(values(i));
        callback(position, value);
      } catch (...) {
        error = std::current_exception();
        return false;
      }
      calls += 1;
      return true;
    });
  });
  if (error)
    std::rethrow_exception(error);
  return calls;
}

NB_MODULE(exercise, m) { m.def("watch", &watch, "values"_a.noconvert(), "limit"_a, "callback"_a); }
