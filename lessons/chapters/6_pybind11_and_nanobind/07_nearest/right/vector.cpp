// The result grows in a vector, and nanobind copies it into an array that NumPy allocates.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

namespace nb = nanobind;

using Pairs = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;

static nb::object nearest(const Pairs &points, const Pairs &queries) {
  if (points.shape(1) != 2 || queries.shape(1) != 2)
    throw nb::type_error("points and queries must have two columns");
  if (points.shape(0) == 0)
    throw nb::value_error("there must be a point");
  std::vector<int64_t> result;
  for (size_t j = 0; j < queries.shape(0); j++) {
    std::pair<double, int64_t> best(1e308, 0);
    for (size_t i = 0; i < points.shape(0); i++) {
      double x = points(i, 0) - queries(j, 0), y = points(i, 1) - queries(j, 1);
      best = std::min(best, {x * x + y * y, static_cast<int64_t>(i)});
    }
    result.push_back(best.second);
  }
  size_t shape[] = {result.size()};
  return nb::cast(nb::ndarray<nb::numpy, int64_t>(result.data(), 1, shape), nb::rv_policy::copy);
}

NB_MODULE(exercise, m) {
  m.def("nearest", &nearest, nb::arg("points").noconvert(), nb::arg("queries").noconvert());
}
