// Pointers and strides by hand, without the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace nb = nanobind;
using namespace nb::literals;

using Pairs = nb::ndarray<const double, nb::shape<-1, 2>, nb::device::cpu>;

static void search(const Pairs &points, const Pairs &queries, int64_t *result) {
  nb::gil_scoped_release release;
  for (size_t j = 0; j < queries.shape(0); j++) {
    const double *query = queries.data() + static_cast<int64_t>(j) * queries.stride(0);
    double least = -1;
    for (size_t i = 0; i < points.shape(0); i++) {
      const double *point = points.data() + static_cast<int64_t>(i) * points.stride(0);
      double x = point[0] - query[0];
      double y = point[points.stride(1)] - query[queries.stride(1)];
      double square = x * x + y * y;
      if (least < 0 || square < least) {
        least = square;
        result[j] = static_cast<int64_t>(i);
      }
    }
  }
}

NB_MODULE(exercise, m) {
  m.def(
      "nearest",
      [](Pairs points, Pairs queries) {
        if (points.size() == 0)
          throw nb::value_error("there must be a point");
        auto *result = new int64_t[queries.shape(0)];
        search(points, queries, result);
        nb::capsule owner(result, [](void *p) noexcept { delete[] static_cast<int64_t *>(p); });
        return nb::ndarray<nb::numpy, int64_t, nb::ndim<1>>(result, {queries.shape(0)}, owner);
      },
      "points"_a.noconvert(), "queries"_a.noconvert());
}
