// Given: a parser that reports errors by exceptions, as C++ libraries do.
#pragma once
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace parsing {

struct bad_number : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// Older than the standard's exceptions, and not one of them.
struct unknown_unit {
  std::string unit;
};

// Return the numbers of a text such as "1.5 2 -3e4", which spaces separate. Throw
//   bad_number          for an item that is not a number; what() says which one
//   std::out_of_range   for a number that does not fit into a double
//   unknown_unit        for a number with a unit, such as "3kg"
//   std::bad_alloc      if memory runs out
inline std::vector<double> numbers(std::string_view text) {
  std::vector<double> found;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find(' ', at), text.size());
    std::string item(text.substr(at, end - at));
    at = end + 1;
    if (item.empty())
      continue;
    char *rest;
    double value = std::strtod(item.c_str(), &rest);
    if (rest == item.c_str())
      throw bad_number("not a number: " + item);
    if (*rest)
      throw unknown_unit{rest};
    if (std::isinf(value))
      throw std::out_of_range("too large: " + item);
    found.push_back(value);
  }
  return found;
}

} // namespace parsing
