#include <algorithm>
#include <deque>
#include <memory>

/* The class itself derives from a container. */
struct series : std::deque<double> {};

extern "C" series *series_new() { return new series(); }
extern "C" void series_push(series *s, double value) { s->emplace_back(value); }
extern "C" size_t series_size(const series *s) { return s->size(); }
extern "C" size_t series_copy(const series *s, double *out, size_t room) {
  return std::copy(s->begin(), s->begin() + std::min(room, s->size()), out) - out;
}
extern "C" series *series_clone(const series *s) { return new series{*s}; }
extern "C" void series_free(series *s) {
  if (s != nullptr)
    delete s;
}
