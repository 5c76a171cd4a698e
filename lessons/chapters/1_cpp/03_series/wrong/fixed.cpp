#include <algorithm>
#include <cstddef>

struct series {
  double *values = new double[100];
  std::size_t size = 0;

  ~series() { delete[] values; }
};

extern "C" {
series *series_new() { return new series; }

void series_push(series *s, double value) { s->values[s->size++] = value; }

std::size_t series_size(const series *s) { return s->size; }

std::size_t series_copy(const series *s, double *out, std::size_t room) {
  std::size_t n = std::min(room, s->size);
  std::copy_n(s->values, n, out);
  return n;
}

series *series_clone(const series *s) {
  auto *made = new series;
  for (std::size_t i = 0; i < s->size; i++)
    series_push(made, s->values[i]);
  return made;
}

void series_free(series *s) { delete s; }
}
