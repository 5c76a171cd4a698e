#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <memory>

namespace nb = nanobind;
using namespace nb::literals;

using Pairs = nb::ndarray<const double, nb::shape<-1, 2>, nb::device::cpu>;
using Numbers = nb::ndarray<nb::numpy, int64_t, nb::ndim<1>>;

static Numbers nearest(const Pairs &points, const Pairs &queries) {
  if (points.shape(0) == 0)
    throw nb::value_error("there must be a point");
  size_t n = queries.shape(0);
  auto result = std::make_unique<int64_t[]>(n);
  auto p = points.view(), q = queries.view();
  for (size_t j = 0; j < n; j++) {
    double least = INFINITY;
    for (size_t i = 0; i < p.shape(0); i++) {
      double x = p(i, 0) - q(j, 0), y = p(i, 1) - q(j, 1);
      if (x * x + y * y < least) {
        least = x * x + y * y;
        result[j] = static_cast<int64_t>(i);
      }
    }
  }
  nb::capsule owner(result.get(),
                    [](void *data) noexcept { delete[] static_cast<int64_t *>(data); });
  return Numbers(result.release(), {n}, owner);
}

NB_MODULE(exercise, m) {
  m.def("nearest", &nearest, "points"_a.noconvert(), "queries"_a.noconvert());
}
