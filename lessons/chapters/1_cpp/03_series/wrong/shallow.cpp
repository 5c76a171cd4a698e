#include <algorithm>
#include <cstddef>

struct series {
  double *values = new double[8];
  std::size_t size = 0, room = 8;
  ~series() { delete[] values; }
};

extern "C" {
series *series_new() { return new series; }

void series_push(series *s, double value) {
  if (s->size == s->room) {
    double *larger = new double[s->room *= 2];
    std::copy_n(s->values, s->size, larger);
    delete[] s->values;
    s->values = larger;
  }
  s->values[s->size++] = value;
}

std::size_t series_size(const series *s) { return s->size; }

std::size_t series_copy(const series *s, double *out, std::size_t room) {
  std::size_t n = std::min(room, s->size);
  std::copy_n(s->values, n, out);
  return n;
}

series *series_clone(const series *s) { return new series(*s); }

void series_free(series *s) { delete s; }
}
