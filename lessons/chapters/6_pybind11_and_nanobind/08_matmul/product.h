// A product of matrices: C++ that knows nothing of Python.
#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

#ifdef WITHOUT_MEETING
inline void meeting_pass() {}
#else
extern "C" void meeting_pass(void); // where the checker's threads meet
#endif

template <class T> struct Matrix {
  T *data;
  std::size_t rows, columns;
  std::int64_t down, right; // from one item to the next, counted in items; may be negative
};

// Return the first address of a matrix that has items, and the one after its last item.
template <class T> std::pair<const T *, const T *> extent(const Matrix<T> &m) {
  auto far = [](std::size_t n, std::int64_t step) {
    return static_cast<std::int64_t>(n - 1) * step;
  };
  std::int64_t down = far(m.rows, m.down), right = far(m.columns, m.right);
  const T *first = m.data + (down < 0 ? down : 0) + (right < 0 ? right : 0);
  return {first, m.data + (down > 0 ? down : 0) + (right > 0 ? right : 0) + 1};
}

// Throw std::invalid_argument unless out = a @ b can be computed: sizes, overlap, number of threads.
template <class T>
void check(const Matrix<const T> &a, const Matrix<const T> &b, const Matrix<T> &out,
           std::int64_t threads) {
  if (a.columns != b.rows)
    throw std::invalid_argument("a must have as many columns as b has rows");
  if (out.rows != a.rows || out.columns != b.columns)
    throw std::invalid_argument("out must have the rows of a and the columns of b");
  if (threads < 1)
    throw std::invalid_argument("threads must be at least 1");
  for (const Matrix<const T> &m : {a, b}) {
    if (m.rows * m.columns == 0 || out.rows * out.columns == 0)
      continue;
    auto [first, end] = extent(m);
    auto [out_first, out_end] = extent(out);
    if (first < out_end && out_first < end)
      throw std::invalid_argument("out must not overlap a or b");
  }
}

// Compute out = a @ b, which `check` has accepted.
template <class T>
void multiply(const Matrix<const T> &a, const Matrix<const T> &b, const Matrix<T> &out) {
  meeting_pass();
  auto at = [](const auto &m, std::size_t i, std::size_t j) -> auto & {
    return m.data[static_cast<std::int64_t>(i) * m.down + static_cast<std::int64_t>(j) * m.right];
  };
  for (std::size_t i = 0; i < a.rows; i++) {
    for (std::size_t j = 0; j < b.columns; j++)
      at(out, i, j) = 0;
    for (std::size_t k = 0; k < a.columns; k++)
      for (std::size_t j = 0; j < b.columns; j++)
        at(out, i, j) += at(a, i, k) * at(b, k, j);
  }
}
