// The Python exception is kept as what nanobind makes of it, and restored at the end.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "scan.h"
#include <optional>

namespace nb = nanobind;
using namespace nb::literals;

using Values = nb::ndarray<const double, nb::shape<-1>, nb::c_contig>;

NB_MODULE(exercise, m) {
  m.def(
      "watch",
      [](Values values, double limit, nb::object callback) {
        std::optional<nb::python_error> error;
        size_t calls = 0;
        const double *data = values.data();
        auto found = [&](size_t i) {
          nb::gil_scoped_acquire acquire;
          try {
            callback(i, data[i]);
            return ++calls > 0;
          } catch (const nb::python_error &raised) {
            error.emplace(raised);
            return false;
          }
        };
        {
          nb::gil_scoped_release release;
          scan(data, values.size(), limit, found);
        }
        if (error) {
          error->restore();
          nb::raise_python_error();
        }
        return calls;
      },
      "values"_a.noconvert(), "limit"_a, "callback"_a);
}
