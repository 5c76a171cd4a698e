#include <algorithm>
#include <cstddef>
#include <vector>

struct series {
  std::vector<double> values;
};

extern "C" {
series *series_new() { return new series; }

void series_push(series *s, double value) { s->values.push_back(value); }

std::size_t series_size(const series *s) { return s->values.size(); }

std::size_t series_copy(const series *s, double *out, std::size_t room) {
  std::size_t n = std::min(room, s->values.size());
  std::copy_n(s->values.begin(), n, out);
  return n;
}

series *series_clone(const series *s) { return new series(*s); }

void series_free(series *s) { delete s; }
}
