// Plain C++ functions, which an idiom of pybind11 and one of nanobind bind as they are: the tool
// makes the std:: types from Python's objects.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cookbook.h"

namespace idioms {

// ---- text ----------------------------------------------------------------------------------

inline const uint8_t *data_of(const std::string &text) {
  return reinterpret_cast<const uint8_t *>(text.data());
}

inline int64_t str_in(const std::string &text) { return ck_sum_bytes(data_of(text), text.size()); }

// ---- containers ----------------------------------------------------------------------------

inline double list_in(const std::vector<double> &values) {
  return ck_sum_floats(values.data(), values.size());
}

inline int64_t strings_in(const std::vector<std::string> &texts) {
  int64_t sum = 0;
  for (const std::string &text : texts)
    sum += str_in(text);
  return sum;
}

inline double dict_in(const std::map<std::string, double> &weights) {
  double sum = 0.0;
  for (const auto &[name, weight] : weights)
    sum += ck_weigh(data_of(name), name.size(), weight);
  return sum;
}

// ---- calls ---------------------------------------------------------------------------------

struct Call {
  const std::function<double(double)> &function;
  std::exception_ptr raised;
};

inline double call_function(double x, void *context) {
  Call *call = static_cast<Call *>(context);
  if (call->raised) // C may call again: the first exception is the one to pass on
    return 0.0;
  try {
    return call->function(x);
  } catch (...) { // it must not cross the frames of C
    call->raised = std::current_exception();
    return 0.0;
  }
}

inline double callback(const std::function<double(double)> &function, double x) {
  Call call{function, nullptr};
  double result = ck_call(call_function, &call, x);
  if (call.raised)
    std::rethrow_exception(call.raised);
  return result;
}

} // namespace idioms
