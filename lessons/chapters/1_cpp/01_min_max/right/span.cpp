#include <limits>
#include <span>

namespace {
void set(double *place, double value) {
  if (place)
    *place = value;
}
} // namespace

extern "C" int min_max(const double *values, std::size_t n, double *low, double *high) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double least = infinity, most = -infinity;
  for (double value : std::span(values, n)) {
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  if (n == 0)
    return -1;
  set(low, least);
  set(high, most);
  return 0;
}
