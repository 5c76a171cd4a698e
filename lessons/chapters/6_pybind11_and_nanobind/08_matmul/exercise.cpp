// Write matmul(a, b, *, out=None, threads=1): your own binding of a product of matrices.
//
//   >>> exercise.matmul(np.ones((2, 3)), np.ones((3, 1)))
//   array([[3.],
//          [3.]])
//
//   - a and b are both float32 or both float64, with two dimensions and any strides; they may be
//     read-only, and are not copied. Anything else raises TypeError.
//   - `out` is None, or a C-contiguous, writable array of that dtype, which is filled and returned;
//     else TypeError. Without it the result is a new array.
//   - `out` and `threads` can only be given by name.
//   - `check` of product.h refuses wrong sizes and overlap by std::invalid_argument, which becomes
//     ValueError. The GIL is released around `multiply`.
//
// The names and the signature are those of every binding of this project. CMakeLists.txt builds
// the module outside of the lessons.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "product.h"

namespace nb = nanobind;
using namespace nb::literals;

NB_MODULE(exercise, m) {
  (void)m; // TODO: one template, bound once for float and once for double
}
