// Durations such as "1h30m": C++ that knows nothing of Python.
#pragma once
#include <cctype>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace duration {

struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Return the seconds in a text of numbers, each followed by h, m or s; throw `error` for another.
inline std::int64_t parse(std::string_view text) {
  std::int64_t total = 0, number = 0;
  bool digits = false;
  for (char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) && number < 1'000'000'000) {
      number = number * 10 + (c - '0');
      digits = true;
    } else if (digits && (c == 'h' || c == 'm' || c == 's')) {
      total += number * (c == 'h' ? 3600 : c == 'm' ? 60 : 1);
      number = 0;
      digits = false;
    } else {
      throw error("not a duration: " + std::string(text));
    }
  }
  if (digits || text.empty())
    throw error("no unit after the last number: " + std::string(text));
  return total;
}

// Return hours, minutes and seconds with two digits each; throw `error` if negative.
inline std::string clock(std::int64_t seconds, const std::string &separator, bool hours) {
  if (seconds < 0)
    throw error("seconds must not be negative");
  auto two = [](std::int64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  std::string rest = two(seconds / 60 % 60) + separator + two(seconds % 60);
  return hours ? two(seconds / 3600) + separator + rest : rest;
}

} // namespace duration
