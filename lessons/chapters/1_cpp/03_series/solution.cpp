// Write a series of doubles that grows, behind a handle that C and Python can hold.
//
//   struct series *s = series_new();
//   series_push(s, 0.5);
//   series_push(s, 0.25);
//   series_size(s);           // 2
//   series_copy(s, out, 10);  // writes 0.5 and 0.25 to out, returns 2
//   struct series *t = series_clone(s);  // another series with the same values
//   series_free(s);           // t is still there
//   series_free(t);
//
// series_copy writes at most `room` doubles, the first ones, and returns how many it wrote.
// series_free frees everything that belongs to the series; it does nothing with a null pointer.
// BEGIN SOLUTION
#include <algorithm>
// END SOLUTION
#include <cstddef>
//:
//: struct series {
//:   // TODO: which member owns memory, and frees it by itself?
// BEGIN SOLUTION
#include <vector>

struct series {
  std::vector<double> values;
  // END SOLUTION
};

extern "C" {
//: series *series_new() { return nullptr; }
//: void series_push(series *s, double value) {}
//: std::size_t series_size(const series *s) { return 0; }
//: std::size_t series_copy(const series *s, double *out, std::size_t room) { return 0; }
//: series *series_clone(const series *s) { return nullptr; }
//: void series_free(series *s) {}
//: }
// BEGIN SOLUTION
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
// END SOLUTION
