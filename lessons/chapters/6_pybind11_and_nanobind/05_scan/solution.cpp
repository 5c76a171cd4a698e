// Write watch(values, limit, callback): call Python from a thread that Python did not create.
//
//   >>> exercise.watch(np.array([3.0, 9.0, 1.0, 8.0]), 5.0, print)
//   1 9.0
//   3 8.0
//   2
//
//   - values is a contiguous float64 array of one dimension and may be read-only; else TypeError.
//   - scan of scan.h calls found(i) in a thread of its own. callback(i, values[i]) is called there,
//     and watch returns the number of calls.
//   - Other threads can run while scan searches, and scan's thread must be able to acquire the GIL.
//   - When the callback raises, it is not called again, and watch raises that exception. None may
//     leave `found`: nothing in that thread would catch it.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "scan.h"
#include <exception>

namespace nb = nanobind;
using namespace nb::literals;

using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

static size_t watch(const Values &values, double limit, const nb::callable &callback) {
  //: (void)values, (void)limit, (void)callback;
  //: return 0; // TODO: release the GIL, scan, acquire the GIL for each call, keep the exception
  // BEGIN SOLUTION
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
  // END SOLUTION
}

NB_MODULE(exercise, m) { m.def("watch", &watch, "values"_a.noconvert(), "limit"_a, "callback"_a); }
