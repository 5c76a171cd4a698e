#include <cstddef>
#include <cstring>
#include <memory>

/* What std::vector does, by hand: an array that is replaced by one twice as large. */
struct series {
  std::unique_ptr<double[]> values;
  std::size_t size = 0, room = 0;

  series() = default;
  series(const series &other)
      : values(std::make_unique<double[]>(other.size)), size(other.size), room(other.size) {
    if (size)
      std::memcpy(values.get(), other.values.get(), size * sizeof(double));
  }

  void push(double value) {
    if (size == room) {
      std::size_t more = room ? 2 * room : 8;
      auto larger = std::make_unique<double[]>(more);
      if (size)
        std::memcpy(larger.get(), values.get(), size * sizeof(double));
      values = std::move(larger);
      room = more;
    }
    values[size++] = value;
  }
};

extern "C" series *series_new() { return std::make_unique<series>().release(); }
extern "C" void series_push(series *s, double value) { s->push(value); }
extern "C" std::size_t series_size(const series *s) { return s->size; }
extern "C" std::size_t series_copy(const series *s, double *out, std::size_t room) {
  std::size_t n = s->size < room ? s->size : room;
  for (std::size_t i = 0; i < n; i++)
    out[i] = s->values[i];
  return n;
}
extern "C" series *series_clone(const series *s) { return new series(*s); }
extern "C" void series_free(series *s) { std::unique_ptr<series> owner(s); }
