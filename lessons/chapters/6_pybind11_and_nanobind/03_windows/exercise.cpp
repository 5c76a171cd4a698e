// Write means(values, width) and windows(values, width): an array in, an array out, no extra copy.
//
//   >>> values = np.array([1.0, 2.0, 6.0, 4.0])
//   >>> exercise.means(values, 2)
//   array([1.5, 4. , 5. ])
//   >>> exercise.windows(values, 2)
//   array([[1., 2.],
//          [2., 6.],
//          [6., 4.]])
//
//   - values is a float64 array of one dimension, with any stride, and may be read-only. It is not
//     copied. Anything else raises TypeError.
//   - width is at least 1 and at most the number of values; else both functions raise ValueError.
//   - means returns a new array. Its memory is freed when the array is.
//   - windows returns a view that nobody may write to: row i shows `values` from item i on.
//     It keeps that memory alive.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>

namespace nb = nanobind;
using namespace nb::literals;

// TODO: which arrays are accepted?
using Values = nb::ndarray<>;

NB_MODULE(exercise, m) {
  (void)m; // TODO: means and windows
}
