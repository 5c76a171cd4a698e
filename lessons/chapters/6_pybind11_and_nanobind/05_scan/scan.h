// A search that runs in a thread of its own: C++ that knows nothing of Python.
#pragma once
#include <cstddef>
#include <functional>
#include <thread>

// Call found(i) in another thread for each value above the limit, in order, until it returns false,
// and wait for that thread. An exception that leaves `found` ends the program.
inline void scan(const double *values, std::size_t n, double limit,
                 const std::function<bool(std::size_t)> &found) {
  std::thread worker([&] {
    for (std::size_t i = 0; i < n; i++)
      if (values[i] > limit && !found(i))
        break;
  });
  worker.join();
}
