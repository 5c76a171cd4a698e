#include <cstdlib>
#include <cstring>

/* As in C, with malloc and free throughout. */
struct series {
  double *values;
  size_t size;
};

extern "C" {
series *series_new() { return static_cast<series *>(calloc(1, sizeof(series))); }

void series_push(series *s, double value) {
  void *larger = realloc(s->values, (s->size + 1) * sizeof(double));
  if (!larger)
    abort();
  s->values = static_cast<double *>(larger);
  s->values[s->size++] = value;
}

size_t series_size(const series *s) { return s->size; }

size_t series_copy(const series *s, double *out, size_t room) {
  size_t n = room < s->size ? room : s->size;
  if (n)
    memcpy(out, s->values, n * sizeof(double));
  return n;
}

series *series_clone(const series *s) {
  series *made = series_new();
  for (size_t i = 0; i < s->size; i++)
    series_push(made, s->values[i]);
  return made;
}

void series_free(series *s) {
  if (!s)
    return;
  free(s->values);
  free(s);
}
}
